"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { useCurrency } from "@/components/shell/currency";
import { Stat } from "@/components/ui/card";
import { useMoney } from "@/components/ui/money";
import { Problem, Skeleton } from "@/components/ui/states";
import { operationQuery } from "@/lib/client/operation-query";
import { balanceAfter, type RentCost } from "@/lib/client/rent-cost";
import { reservePeriodHours } from "@/lib/contract/words";

const HOUR_MS = 3_600_000;

/** What it costs, what is taken at once, and how long the money lasts. */
export function CostSummary({ cost }: { cost: RentCost }) {
  const t = useTranslations("rent.cost");
  const money = useMoney();
  const times = {
    day: cost.perHour * reservePeriodHours.day,
    month: cost.perHour * reservePeriodHours.month,
  };
  return (
    <section aria-label={t("title")} className="space-y-3 rounded-xl border bg-muted p-4">
      <h3 className="font-semibold">{t("title")}</h3>
      <dl className="grid grid-cols-3 gap-3">
        <Stat label={t("hour")} value={money(cost.perHour)} />
        <Stat label={t("day")} value={money(times.day, "sum")} />
        <Stat label={t("month")} value={money(times.month, "sum")} />
      </dl>
      <p className="text-xs text-subtle">
        {cost.prepaid > 0 ? t("diskIncluded") : t("diskPart", { price: money(cost.diskPerHour) })}
      </p>
      <Balance cost={cost} />
    </section>
  );
}

function Balance({ cost }: { cost: RentCost }) {
  const t = useTranslations("rent.cost");
  const format = useFormatter();
  const money = useMoney();
  const [now] = useState(() => Date.now());
  const billing = useQuery(operationQuery("getBilling", { query: { currency: useCurrency() } }));
  if (billing.isPending) return <Skeleton className="h-16" />;
  if (billing.error) return <Problem error={billing.error} retry={() => billing.refetch()} />;
  const { missing, hoursLeft } = balanceAfter(billing.data.data, cost);
  return (
    <div className="space-y-1 border-t pt-3 text-sm">
      <p className="flex justify-between gap-4">
        <span>{t("nowPaid")}</span>
        <span className="font-semibold tabular-nums">{money(cost.prepaid, "sum")}</span>
      </p>
      <p className="flex justify-between gap-4">
        <span>{t("balance")}</span>
        <span className="tabular-nums">{money(billing.data.data.balance, "sum")}</span>
      </p>
      {missing > 0 ? (
        <p role="status" className="text-danger">
          {t("missing", { sum: money(missing, "sum") })}{" "}
          <Link href="/billing" className="font-medium underline underline-offset-4">
            {t("toBilling")}
          </Link>
        </p>
      ) : (
        <p className="flex flex-wrap justify-between gap-x-4">
          <span>{t("lasts")}</span>
          <span className="tabular-nums">
            {hoursLeft === null || hoursLeft > 100 * reservePeriodHours.year
              ? t("lastsLong")
              : format.dateTime(new Date(now + hoursLeft * HOUR_MS), {
                  dateStyle: "medium",
                  timeStyle: "short",
                })}
          </span>
        </p>
      )}
    </div>
  );
}
