"use client";

import { useTranslations } from "next-intl";
import { TimeSeries } from "@/components/charts/time-series";
import { useMoney } from "@/components/ui/money";
import type { AnswerOf } from "@/lib/client/call-operation";
import type { Currency } from "@/lib/contract/words";

interface PriceHistoryProps {
  points: AnswerOf<"listGpuPrices">["data"];
  currency: Currency;
}

/** What one GPU has cost on this market for an hour, as this market recorded it. */
export function PriceHistory({ points, currency }: PriceHistoryProps) {
  const t = useTranslations("market.gpu");
  const money = useMoney();
  if (points.length === 0) return <p className="py-6 text-sm text-subtle">{t("noHistory")}</p>;
  return (
    <>
      <TimeSeries
        label={t("historyLabel")}
        points={points.map(({ at, low, median }) => ({ at: Date.parse(at), low, median }))}
        series={[
          { key: "low", name: t("low") },
          { key: "median", name: t("median") },
        ]}
        format={(value) => money(value, "price", currency)}
      />
      <p className="mt-2 text-xs text-subtle">{t("historySince", { count: points.length })}</p>
    </>
  );
}
