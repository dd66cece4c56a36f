"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useNow, useTranslations } from "next-intl";
import { useState } from "react";
import { useCurrency } from "@/components/shell/currency";
import { Card } from "@/components/ui/card";
import { useMoney } from "@/components/ui/money";
import { Select } from "@/components/ui/select";
import { Problem, Skeleton } from "@/components/ui/states";
import { operationQuery } from "@/lib/client/operation-query";
import { SpendTables } from "./spend-tables";

const CHART_PX = 180;
const DAY_MS = 86_400_000;

const TimeSeries = dynamic(() => import("@/components/charts/time-series").then((file) => file.TimeSeries), {
  ssr: false,
  loading: () => <Skeleton className="h-[180px]" />,
});

const periods = ["7", "30", "90"] as const;

/** What instances cost, by day and by instance. */
export function Spend() {
  const t = useTranslations("billing.spend");
  const currency = useCurrency();
  const money = useMoney();
  const now = useNow();
  const [period, setPeriod] = useState<(typeof periods)[number]>("30");
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const first = today - (Number(period) - 1) * DAY_MS;
  const from = period === "30" ? {} : { from: new Date(first).toISOString().slice(0, 10) };
  const usage = useQuery({
    ...operationQuery("listBillingUsage", { query: { currency, ...from } }),
    placeholderData: keepPreviousData,
  });
  const rows = usage.data?.data ?? [];
  const byDay = new Map<string, number>();
  for (const { day, amount } of rows) byDay.set(day, (byDay.get(day) ?? 0) + amount);
  const points = Array.from({ length: Number(period) }, (_, i) => {
    const at = first + i * DAY_MS;
    return { at, spent: byDay.get(new Date(at).toISOString().slice(0, 10)) ?? 0 };
  });
  return (
    <Card
      title={t("title")}
      actions={
        <Select
          aria-label={t("period")}
          size="sm"
          className="w-36"
          value={period}
          onChange={setPeriod}
          choices={periods.map((value) => ({ value, label: t("days", { days: Number(value) }) }))}
        />
      }
    >
      {usage.isPending ? (
        <Skeleton className="h-[180px]" />
      ) : usage.error ? (
        <Problem error={usage.error} retry={() => usage.refetch()} />
      ) : rows.length === 0 ? (
        <p className="py-10 text-center text-sm text-subtle">{t("empty")}</p>
      ) : (
        <>
          <TimeSeries
            label={t("chart")}
            points={points}
            series={[{ key: "spent", name: t("spent") }]}
            format={(value) => money(value, "price", currency)}
            height={CHART_PX}
          />
          {usage.data.total_items > rows.length && (
            <p className="mt-2 text-sm text-subtle">
              {t("cut", { shown: rows.length, total: usage.data.total_items })}
            </p>
          )}
          <SpendTables rows={rows} byDay={byDay} />
        </>
      )}
    </Card>
  );
}
