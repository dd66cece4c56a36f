"use client";

import { ArrowRight, Check, CircleAlert, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { useMoney } from "@/components/ui/money";
import type { Plan } from "./price-plan";
import { PricePosition } from "./price-position";
import { useHostName } from "./use-host-name";

export type Outcome = { state: "saving" } | { state: "saved" } | { state: "failed"; reason: string };

/** One host of a change of many: from which price to which, where that stands, and how it went. */
export function BulkRow({ plan, outcome }: { plan: Plan; outcome: Outcome | undefined }) {
  const t = useTranslations("hosts.bulk");
  const money = useMoney();
  const { host, next, why } = plan;
  const old = host.offer.real_price;
  return (
    <li className="grid gap-x-4 gap-y-1 px-3 py-2.5 text-sm sm:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)]">
      <div className="min-w-0">
        <span className="block truncate font-medium">{useHostName()(host)}</span>
        <span className="block truncate font-mono text-xs text-subtle">{host.address ?? host.id}</span>
      </div>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 tabular-nums">
          <span className="text-subtle">
            <span className="sr-only">{t("old")}: </span>
            {old === null ? t("noPrice") : money(old)}
          </span>
          {next !== null && (
            <>
              <ArrowRight className="size-3.5 text-subtle" aria-hidden="true" />
              <span className="font-semibold">
                <span className="sr-only">{t("new")}: </span>
                {money(next)}
              </span>
            </>
          )}
          {why !== null && why !== "untyped" && <span className="text-xs text-subtle">{t(why)}</span>}
          <Mark outcome={outcome} />
        </p>
        <PricePosition host={host} price={next} />
        {outcome?.state === "failed" && (
          <p role="alert" className="text-xs text-danger">
            {t("failed", { reason: outcome.reason })}
          </p>
        )}
      </div>
    </li>
  );
}

function Mark({ outcome }: { outcome: Outcome | undefined }) {
  const t = useTranslations("hosts.bulk");
  if (!outcome) return null;
  if (outcome.state === "saving") return <LoaderCircle className="size-4 animate-spin" aria-hidden="true" />;
  if (outcome.state === "failed") return <CircleAlert className="size-4 text-danger" aria-hidden="true" />;
  return (
    <span className="flex items-center gap-1 text-xs text-success">
      <Check className="size-4" aria-hidden="true" />
      {t("saved")}
    </span>
  );
}
