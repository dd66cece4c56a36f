"use client";

import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/cn";

interface AmountFilterProps {
  amounts: readonly { value: number; count: number }[];
  value: number | null;
  onChange: (value: number | null) => void;
}

/** How many GPUs an offer has: one of the numbers that there are. */
export function AmountFilter({ amounts, value, onChange }: AmountFilterProps) {
  const t = useTranslations("market.filters");
  const listed =
    value === null || amounts.some((amount) => amount.value === value)
      ? amounts
      : [...amounts, { value, count: 0 }];
  return (
    <fieldset>
      <legend className="mb-1 text-xs text-subtle">{t("names.gpu_amount")}</legend>
      <div className="grid min-h-8 grid-cols-[repeat(auto-fill,minmax(1.9rem,1fr))] gap-1">
        {listed.map(({ value: amount, count }) => (
          <button
            key={amount}
            type="button"
            aria-pressed={amount === value}
            aria-label={t("counted", { name: String(amount), count })}
            title={t("counted", { name: String(amount), count })}
            onClick={() => onChange(amount === value ? null : amount)}
            className={cn(
              "h-8 rounded-md border text-sm tabular-nums hover:bg-muted",
              amount === value &&
                "border-primary bg-primary-soft font-semibold text-on-primary-soft underline",
            )}
          >
            {amount}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
