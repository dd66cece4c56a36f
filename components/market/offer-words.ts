"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useMemo } from "react";
import { useMoney } from "@/components/ui/money";
import type { Offer } from "./use-offer-pages";

const HOURS_OF_MONTH = 720;

export interface OfferMark {
  key: "simulated" | "thirdParty" | "unverified" | "outOfStock" | "notRentable";
  tone: "warning" | "info" | "neutral";
}

/** What one should know of an offer before paying. */
export function marksOf(offer: Offer): OfferMark[] {
  const marks: OfferMark[] = [];
  if (offer.simulated) marks.push({ key: "simulated", tone: "warning" });
  if (offer.is_third_party) marks.push({ key: "thirdParty", tone: "info" });
  if (!offer.host_verified && !offer.simulated) marks.push({ key: "unverified", tone: "warning" });
  if (!offer.in_stock) marks.push({ key: "outOfStock", tone: "neutral" });
  else if (!offer.rentable) marks.push({ key: "notRentable", tone: "neutral" });
  return marks;
}

/** In the currency's own units; null where no price is set. */
export function pricesOf(offer: Offer) {
  const hour = offer.prices.find(({ period }) => period === "hour");
  const month = offer.prices.find(({ period }) => period === "month");
  return {
    currency: offer.prices[0]?.currency ?? offer.disk_prices[0]?.currency,
    hour: hour?.price ?? null,
    gpuHour: hour?.price_per_gpu ?? null,
    month: month ? month.price * HOURS_OF_MONTH : null,
    discount: month?.discount ?? 0,
    disk: offer.disk_prices[0]?.price ?? null,
  };
}

export type OfferWords = ReturnType<typeof useOfferWords>;

/** Writes the facts of offers in the reader's language; "–" stands for what nobody measured. */
export function useOfferWords() {
  const t = useTranslations("market.offer");
  const common = useTranslations("common");
  const format = useFormatter();
  const money = useMoney();
  return useMemo(() => {
    const number = (value: number | null) =>
      value === null ? "–" : format.number(value, { maximumFractionDigits: value < 10 ? 2 : 0 });
    const size = (gb: number | null) => {
      if (gb === null) return "–";
      if (gb >= 1_000) return t("tb", { value: format.number(gb / 1_000, { maximumFractionDigits: 1 }) });
      return common("units.gb", { value: number(gb) });
    };
    const placeOf = ({ location }: Offer) =>
      [location.city, location.country].filter(Boolean).join(", ") || location.region || "–";
    const nameOf = ({ gpu_amount, gpu_name }: Offer) => `${gpu_amount} × ${shortName(gpu_name)}`;
    const price = (amount: number | null, offer: Offer, kind: "price" | "sum" = "price") =>
      amount === null
        ? "–"
        : money(amount, kind, offer.prices[0]?.currency ?? offer.disk_prices[0]?.currency);
    return { t, number, size, placeOf, nameOf, price };
  }, [t, common, format, money]);
}

/** The maker is known from the rest of the name. */
export function shortName(name: string): string {
  return name.replace(/^NVIDIA (GeForce )?/, "").replace(/^AMD (?=Instinct|Radeon)/, "");
}
