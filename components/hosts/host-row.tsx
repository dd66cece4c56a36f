"use client";

import { useQuery } from "@tanstack/react-query";
import { Ellipsis, EyeOff, Megaphone, SquareArrowOutUpRight } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useCurrency } from "@/components/shell/currency";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { Menu } from "@/components/ui/menu";
import { Skeleton } from "@/components/ui/states";
import { type Host, isSimulated, overviewQuery } from "./host-queries";
import { HostStatus } from "./host-status";
import { LastReport } from "./last-report";
import { PriceEditor } from "./price-editor";
import { useHostName } from "./use-host-name";
import { useListing } from "./use-listing";
import { Utilisation } from "./utilisation";

/** The columns of the list where there is room for them. */
export const hostColumns =
  "lg:grid-cols-[1.25rem_minmax(0,1.5fr)_minmax(0,1.9fr)_minmax(0,1.8fr)_7.5rem_7.5rem_2rem]";

interface HostRowProps {
  host: Host;
  selected: boolean;
  onSelect: (selected: boolean) => void;
}

/** One host among others: a row, on a phone a card. */
export function HostRow({ host, selected, onSelect }: HostRowProps) {
  const t = useTranslations("hosts");
  const name = useHostName()(host);
  const overview = useQuery(overviewQuery(host.id, useCurrency())).data?.data;
  const listing = useListing();
  const place = [host.offer.location.city, host.offer.location.country].filter(Boolean).join(", ");
  const withdrawn = host.status_reason === "withdrawn";
  return (
    <li
      className={cn(
        "grid grid-cols-[1.25rem_minmax(0,1fr)_2rem] gap-x-4 gap-y-3 border-b px-4 py-3.5 last:border-0",
        hostColumns,
        selected && "bg-primary-soft/40",
      )}
    >
      <div className="flex h-6 w-5 items-center justify-center">
        <Checkbox
          checked={selected}
          onCheckedChange={onSelect}
          aria-label={t("select", { host: `${name} ${host.address ?? ""}`.trim() })}
        />
      </div>
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <Link data-row href={`/hosts/${host.id}`} className="hover:underline">
            {name}
          </Link>
          {isSimulated(host) && <Badge tone="warning">{t("simulated")}</Badge>}
        </h3>
        <p className="mt-0.5 break-words text-xs text-subtle">
          <span className="font-mono">{host.address ?? t("noAddress")}</span>
          {place && <span className="block">{place}</span>}
        </p>
      </div>
      <Cell label={t("columns.status")}>
        <HostStatus host={host} rented={overview?.rented} />
      </Cell>
      <Cell label={t("columns.price")}>
        <PriceEditor host={host} />
      </Cell>
      <Cell label={t("columns.utilisation")}>
        {overview ? <Utilisation days={overview.utilisation} /> : <Skeleton className="h-6 w-24" />}
      </Cell>
      <Cell label={t("columns.lastReport")}>
        <span className="text-sm">
          {overview ? <LastReport host={host} overview={overview} /> : <Skeleton className="h-5 w-20" />}
        </span>
      </Cell>
      <div className="col-start-3 row-start-1 lg:col-start-7">
        <Menu
          trigger={
            <Button
              variant="ghost"
              size="iconSm"
              busy={listing.isPending}
              aria-label={t("actions.more", { host: name })}
            >
              {!listing.isPending && <Ellipsis aria-hidden="true" />}
            </Button>
          }
          entries={[
            {
              kind: "link",
              href: `/hosts/${host.id}`,
              label: t("actions.open"),
              icon: <SquareArrowOutUpRight aria-hidden="true" />,
            },
            {
              label: t(withdrawn ? "actions.relist" : "actions.withdraw"),
              icon: withdrawn ? <Megaphone aria-hidden="true" /> : <EyeOff aria-hidden="true" />,
              onSelect: () => listing.mutate({ hosts: [host], to: withdrawn ? "relist" : "withdraw" }),
            },
          ]}
        />
      </div>
    </li>
  );
}

/** The label stands above the columns where there are columns. */
function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="col-span-2 col-start-2 min-w-0 lg:col-span-1 lg:col-start-auto">
      <span className="mb-0.5 block text-xs text-subtle lg:sr-only">{label}</span>
      {children}
    </div>
  );
}
