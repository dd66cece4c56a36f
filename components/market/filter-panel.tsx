"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Switch } from "@/components/ui/switch";
import type { AnswerOf } from "@/lib/client/call-operation";
import { bounded, type RangeFilter as RangeFilterName } from "@/lib/client/market-search";
import { AmountFilter } from "./amount-filter";
import { CpuFilter } from "./cpu-filter";
import { shortName } from "./offer-words";
import { Picker } from "./picker";
import { RangeFilter } from "./range-filter";
import { isSet, type useMarket } from "./use-market";

export type Facets = AnswerOf<"countMarketFacets">["data"];

interface FilterPanelProps {
  market: ReturnType<typeof useMarket>;
  facets: Facets | undefined;
}

const firstRanges: readonly RangeFilterName[] = ["price", "vram"];
const otherRanges: readonly RangeFilterName[] = [
  ...bounded.filter((name) => !firstRanges.includes(name)),
  "score",
];

/** Everything that a search can ask for. */
export function FilterPanel({ market, facets }: FilterPanelProps) {
  const t = useTranslations("market.filters");
  const { state, change, search } = market;
  const range = (name: RangeFilterName) => (
    <Section key={name} title={t(`names.${name}`)} open={firstRanges.includes(name) || isSet(state, name)}>
      <RangeFilter
        name={t(`names.${name}`)}
        unit={name === "price" ? search.currency : t(`units.${name}`)}
        facet={facets?.ranges[name]}
        value={state[name]}
        onChange={(value, options) => change({ [name]: value }, options)}
        onlyFrom={name === "score"}
      />
    </Section>
  );
  return (
    <div className="divide-y">
      <Section title={t("names.gpu_translit_name")} open>
        <Picker
          isSearch
          label={t("names.gpu_translit_name")}
          groups={[{ options: gpuOptions(facets) }]}
          chosen={state.gpu_translit_name ?? []}
          onChange={(chosen) => change({ gpu_translit_name: chosen.length > 0 ? chosen : null })}
        />
        <AmountFilter
          amounts={facets?.gpu_amounts ?? []}
          value={state.gpu_amount}
          onChange={(gpu_amount) => change({ gpu_amount })}
        />
        <Link href="/gpus" prefetch={false} className="text-xs text-primary underline underline-offset-4">
          {t("aboutGpus")}
        </Link>
      </Section>
      <Section title={t("availability")} open>
        <Truth
          label={t("names.rentable")}
          count={facets?.rentable.yes}
          value={state.rentable}
          onChange={(rentable) => change({ rentable })}
        />
        <Truth
          label={t("names.in_stock")}
          count={facets?.in_stock.yes}
          value={state.in_stock}
          onChange={(in_stock) => change({ in_stock })}
        />
      </Section>
      {firstRanges.map(range)}
      <Section title={t("names.location")} open>
        <Picker
          label={t("names.location")}
          groups={placeGroups(facets, t)}
          chosen={state.location ?? []}
          onChange={(chosen) => change({ location: chosen.length > 0 ? chosen : null })}
        />
      </Section>
      <Section title={t("names.provider")} open>
        <Picker
          label={t("names.provider")}
          none={t("anyProvider")}
          groups={[
            {
              options: (facets?.providers ?? []).map(({ translit_name, name, count }) => ({
                value: translit_name,
                label: name,
                count,
              })),
            },
          ]}
          chosen={state.provider ? [state.provider] : []}
          onChange={([provider = null]) => change({ provider })}
        />
      </Section>
      <Section title={t("names.cpu_name")} open={isSet(state, "cpu_name")}>
        <CpuFilter value={state.cpu_name} onChange={(cpu_name, options) => change({ cpu_name }, options)} />
      </Section>
      {otherRanges.map(range)}
    </div>
  );
}

/** Shut sections have nothing in them, so that they cost nothing. */
function Section({ title, open, children }: { title: string; open: boolean; children: ReactNode }) {
  const [shown, setShown] = useState(open);
  return (
    <details open={shown} onToggle={(event) => setShown(event.currentTarget.open)} className="group">
      <summary className="cursor-pointer px-4 py-2.5 text-sm font-medium -outline-offset-2 marker:text-subtle">
        {title}
      </summary>
      {shown && <div className="space-y-3 px-4 pb-4">{children}</div>}
    </details>
  );
}

interface TruthProps {
  label: string;
  count: number | undefined;
  value: boolean | null;
  onChange: (value: true | null) => void;
}

function Truth({ label, count, value, onChange }: TruthProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch is a control.
    <label className="flex min-h-6 items-center justify-between gap-3 text-sm">
      <span>
        {label} {count !== undefined && <span className="text-xs tabular-nums text-subtle">{count}</span>}
      </span>
      <Switch checked={value === true} onCheckedChange={(on) => onChange(on ? true : null)} />
    </label>
  );
}

function gpuOptions(facets: Facets | undefined) {
  return (facets?.gpus ?? []).map(({ gpu_translit_name, gpu_name, vram, count }) => ({
    value: gpu_translit_name,
    label: shortName(gpu_name),
    detail: `${vram} GB`,
    count,
  }));
}

function placeGroups(facets: Facets | undefined, t: (key: "regions" | "countries" | "cities") => string) {
  const { regions = [], countries = [], cities = [] } = facets?.locations ?? {};
  const option = ({ name, count }: { name: string; count: number }) => ({ value: name, label: name, count });
  const seen = new Set<string>();
  // A place is found by its name alone: a city state is its country too.
  const once = <Place extends { name: string }>(places: readonly Place[]) =>
    places.filter(({ name }) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()));
  return [
    { heading: t("regions"), options: once(regions).map(option) },
    { heading: t("countries"), options: once(countries).map(option) },
    {
      heading: t("cities"),
      options: once(cities).map((city) => ({ ...option(city), detail: city.country ?? undefined })),
    },
  ];
}
