import { createColumnHelper, tableFeatures } from "@tanstack/react-table";
import { Info } from "lucide-react";
import Link from "next/link";
import type { useTranslations } from "next-intl";
import type { OfferSort } from "@/lib/contract/words";
import { OfferMarks } from "./offer-marks";
import { type OfferWords, pricesOf } from "./offer-words";
import type { Offer } from "./use-offer-pages";

export const offerFeatures = tableFeatures({});
const helper = createColumnHelper<typeof offerFeatures, Offer>();

type SortField = OfferSort extends `${infer Field}_asc` | `${infer Field}_desc` ? Field : never;

interface ColumnLook {
  width: number;
  numeric?: true;
  sort?: SortField;
}

/** How wide columns are, in pixels, and what they sort by. */
export const columnLooks = {
  gpu: { width: 236, sort: "gpu_amount" },
  vram: { width: 124, numeric: true, sort: "vram" },
  hour: { width: 92, numeric: true, sort: "price" },
  gpuHour: { width: 106, numeric: true, sort: "price_per_gpu" },
  month: { width: 118, numeric: true },
  diskPrice: { width: 128, numeric: true },
  cpu: { width: 172, sort: "vcpu" },
  ram: { width: 84, numeric: true, sort: "ram" },
  disk: { width: 84, numeric: true, sort: "disk" },
  network: { width: 116, numeric: true, sort: "ethernet_in" },
  tflops: { width: 88, numeric: true, sort: "capacity" },
  place: { width: 150 },
  provider: { width: 150 },
  score: { width: 76, numeric: true, sort: "score" },
} as const satisfies Record<string, ColumnLook>;
type ColumnId = keyof typeof columnLooks;

export function lookOf(id: string): ColumnLook {
  return columnLooks[id as ColumnId] ?? { width: 100 };
}

/** Two lines in a cell: the second is smaller. */
function Lines({ first, second }: { first: string; second: string | null }) {
  return (
    <>
      <span className="block truncate">{first}</span>
      {second && <span className="block truncate text-xs text-subtle">{second}</span>}
    </>
  );
}

export function makeOfferColumns(t: ReturnType<typeof useTranslations<"market.table">>, words: OfferWords) {
  const column = (id: ColumnId, cell: (offer: Offer) => React.ReactNode) =>
    helper.display({ id, header: t(id), cell: ({ row }) => cell(row.original) });
  return helper.columns([
    column("gpu", (offer) => (
      <>
        <span className="flex items-center gap-1">
          <span className="truncate font-medium">{words.nameOf(offer)}</span>
          {offer.gpu_translit_name && (
            <Link
              href={`/gpus/${offer.gpu_translit_name}`}
              prefetch={false}
              aria-label={words.t("aboutGpu", { name: offer.gpu_name })}
              className="-my-1 shrink-0 rounded p-1.5 text-subtle hover:text-primary"
            >
              <Info className="size-3.5" aria-hidden="true" />
            </Link>
          )}
        </span>
        <span className="flex gap-1 overflow-hidden">
          <OfferMarks offer={offer} words={words} />
        </span>
      </>
    )),
    column("vram", ({ vram, gpu_amount }) => (
      <Lines
        first={words.size(vram)}
        second={vram !== null && gpu_amount > 1 ? words.t("total", { value: vram * gpu_amount }) : null}
      />
    )),
    column("hour", (offer) => (
      <span className="font-semibold">{words.price(pricesOf(offer).hour, offer)}</span>
    )),
    column("gpuHour", (offer) => words.price(pricesOf(offer).gpuHour, offer)),
    column("month", (offer) => {
      const { month, discount } = pricesOf(offer);
      return (
        <Lines
          first={words.price(month, offer, "sum")}
          second={discount > 0 ? words.t("discount", { percent: discount }) : null}
        />
      );
    }),
    column("diskPrice", (offer) => words.price(pricesOf(offer).disk, offer)),
    column("cpu", ({ configuration: { cpu_name, vcpu, cpu_cores, cpu_freq } }) => (
      <Lines
        first={cpu_name ?? "–"}
        second={
          [
            vcpu !== null && words.t("vcpus", { count: vcpu }),
            vcpu === null && cpu_cores !== null && words.t("cores", { count: cpu_cores }),
            cpu_freq !== null && words.t("ghz", { value: cpu_freq }),
          ]
            .filter(Boolean)
            .join(", ") || null
        }
      />
    )),
    column("ram", ({ configuration }) => words.size(configuration.ram.amount)),
    column("disk", ({ configuration }) => words.size(configuration.disk.amount)),
    column("network", ({ configuration: { ethernet_in, ethernet_out } }) =>
      ethernet_in === null && ethernet_out === null
        ? "–"
        : `${words.number(ethernet_in)} / ${words.number(ethernet_out)}`,
    ),
    column("tflops", ({ configuration }) => words.number(configuration.capacity)),
    column("place", ({ location }) => (
      <Lines
        first={location.city ?? location.country ?? location.region ?? "–"}
        second={location.city && location.country}
      />
    )),
    column("provider", ({ provider_translit_name: name }) => (
      <Link
        href={`/providers/${encodeURIComponent(name)}`}
        prefetch={false}
        className="block truncate underline decoration-border underline-offset-4 hover:decoration-current"
      >
        {name}
      </Link>
    )),
    column("score", ({ score }) => words.number(score)),
  ]);
}
