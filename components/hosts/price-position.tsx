"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useCurrency } from "@/components/shell/currency";
import { useMoney } from "@/components/ui/money";
import { type Host, overviewQuery } from "./host-queries";

const TYPING_MS = 250;

interface PricePositionProps {
  host: Host;
  /** What it might cost; null: what it costs. */
  price?: number | null;
}

/** Where a price stands among like offers. */
export function PricePosition({ host, price = null }: PricePositionProps) {
  const t = useTranslations("hosts.price");
  const money = useMoney();
  const currency = useCurrency();
  const asked = useSettled(price);
  const { data } = useQuery({
    ...overviewQuery(host.id, currency, asked),
    placeholderData: keepPreviousData,
  });
  const position = data?.data.price_position;
  if (!position) return <span className="block min-h-4 text-xs text-subtle" />;
  const { like_offers: like, cheaper, median } = position;
  if (like === 0) return <span className="block text-xs text-subtle">{t("positionAlone")}</span>;
  const medianText =
    median !== null && t(host.offer.gpu_amount > 1 ? "medianPerGpu" : "median", { price: money(median) });
  return (
    <span className="block text-xs text-subtle">
      {cheaper === null ? t("like", { like }) : t("position", { cheaper, like })}
      {medianText && ` · ${medianText}`}
    </span>
  );
}

/** A value once it has stayed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
