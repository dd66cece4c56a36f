"use client";

import { useTranslations } from "next-intl";
import { useMoney } from "@/components/ui/money";
import { type ReservePeriod, reservePeriodHours } from "@/lib/contract/words";
import type { Offer } from "./offer-summary";

interface PeriodChoiceProps {
  prices: Offer["prices"];
  chosen: ReservePeriod;
  onChoose: (period: ReservePeriod) => void;
}

/** By the hour, or a term that is paid ahead, with the price of each. */
export function PeriodChoice({ prices, chosen, onChoose }: PeriodChoiceProps) {
  const t = useTranslations("rent.period");
  const common = useTranslations("common.units");
  const money = useMoney();
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">{t("title")}</legend>
      <div className="grid grid-cols-1 gap-2 min-[24rem]:grid-cols-2 sm:grid-cols-3">
        {prices.map(({ period, price, discount, currency }) => (
          <label
            key={period}
            className="flex cursor-pointer flex-col gap-0.5 rounded-md border px-3 py-2 text-sm has-checked:border-primary has-checked:bg-primary-soft has-checked:text-on-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-ring"
          >
            <span className="flex items-center gap-2 font-medium">
              <input
                type="radio"
                name="period"
                className="size-4 accent-primary outline-none"
                checked={period === chosen}
                onChange={() => onChoose(period)}
              />
              {t(`names.${period}`)}
              {discount > 0 && <span className="ml-auto text-xs">−{discount} %</span>}
            </span>
            <span className="tabular-nums">
              {money(price, "price", currency)}
              {common("perHour")}
            </span>
            <span className="text-xs opacity-80">
              {period === "hour"
                ? t("bySecond")
                : t("ahead", { sum: money(price * reservePeriodHours[period], "sum", currency) })}
            </span>
          </label>
        ))}
      </div>
      <p className="mt-2 text-xs text-subtle">{chosen === "hour" ? t("hourText") : t("termText")}</p>
    </fieldset>
  );
}
