"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useCurrency } from "@/components/shell/currency";
import { Button } from "@/components/ui/button";
import { useMoney } from "@/components/ui/money";
import { Skeleton } from "@/components/ui/states";
import { findAlternative } from "./find-alternative";
import type { Offer } from "./offer-summary";

interface TakenNoticeProps {
  offer: Offer;
  /** It went while it was looked at, not before. */
  justNow: boolean;
  onSwitch: (offer: Offer) => void;
}

/** Says that it is gone and that nothing was paid, and leads to the nearest other one. */
export function TakenNotice({ offer, justNow, onSwitch }: TakenNoticeProps) {
  const t = useTranslations("rent.taken");
  const units = useTranslations("common.units");
  const money = useMoney();
  const currency = useCurrency();
  const other = useQuery({
    queryKey: ["searchMarket", "alternative", offer.id, currency],
    queryFn: () => findAlternative(offer, currency),
    staleTime: 0,
  });
  const price = other.data?.prices.find(({ period }) => period === "hour")?.price;
  const place = [other.data?.location.city, other.data?.location.country].filter(Boolean).join(", ");
  return (
    <div role="alert" className="w-full rounded-md bg-warning-soft px-3 py-2 text-on-warning-soft text-sm">
      <p className="font-semibold">{justNow ? t("justNow") : t("before")}</p>
      <p>{justNow ? t("notCharged") : t("notRentable")}</p>
      {other.isPending && <Skeleton className="mt-2 h-9" />}
      {(other.data === null || other.error) && <p className="mt-1">{t("noOther")}</p>}
      {other.data && price !== undefined && (
        <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
          <p>
            {t("nearest")}{" "}
            <strong>
              {other.data.gpu_amount} × {other.data.gpu_name}
            </strong>
            {place && `, ${place}`}, {money(price)}
            {units("perHour")}
          </p>
          <Button variant="primary" size="sm" onClick={() => onSwitch(other.data as Offer)}>
            {t("switch")}
          </Button>
        </div>
      )}
    </div>
  );
}
