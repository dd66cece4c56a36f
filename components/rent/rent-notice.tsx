"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useCurrency } from "@/components/shell/currency";
import { useMoney } from "@/components/ui/money";
import { useProblemText } from "@/components/ui/states";
import { ApiError } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { balanceAfter, type RentCost } from "@/lib/client/rent-cost";
import type { Offer } from "./offer-summary";
import { TakenNotice } from "./taken-notice";

interface RentNoticeProps {
  offer: Offer;
  error: Error | null;
  /** The hourly price that was seen, where it is another one now. */
  changedFrom: number | undefined;
  cost: RentCost | null;
  onSwitch: (offer: Offer) => void;
}

/** What stands between the wish and the machine: taken, repriced, too little money, or a failure. */
export function RentNotice({ offer, error, changedFrom, cost, onSwitch }: RentNoticeProps) {
  const t = useTranslations("rent");
  const units = useTranslations("common.units");
  const money = useMoney();
  const explain = useProblemText();
  const code = error instanceof ApiError ? error.code : null;
  if (code === "offer_unavailable" || !offer.rentable)
    return <TakenNotice offer={offer} justNow={code === "offer_unavailable"} onSwitch={onSwitch} />;
  if (changedFrom !== undefined && cost)
    return (
      <div role="alert" className="w-full rounded-md bg-warning-soft px-3 py-2 text-on-warning-soft text-sm">
        <p className="font-semibold">{t("repriced.title")}</p>
        <p>
          {t("repriced.text", {
            before: money(changedFrom) + units("perHour"),
            now: money(cost.hourlyPrice) + units("perHour"),
          })}
        </p>
      </div>
    );
  if (code === "insufficient_funds" && cost) return <FundsNotice cost={cost} />;
  if (!error || code === "invalid" || code === "price_changed") return null;
  return (
    <p role="alert" className="w-full text-danger text-sm">
      {explain(error)}
    </p>
  );
}

function FundsNotice({ cost }: { cost: RentCost }) {
  const t = useTranslations("rent.cost");
  const money = useMoney();
  const billing = useQuery(operationQuery("getBilling", { query: { currency: useCurrency() } }));
  const missing = billing.data ? balanceAfter(billing.data.data, cost).missing : 0;
  return (
    <p role="alert" className="w-full rounded-md bg-danger-soft px-3 py-2 text-on-danger-soft text-sm">
      {missing > 0 ? t("missing", { sum: money(missing, "sum") }) : t("tooLittle")}{" "}
      <Link href="/billing" className="font-medium underline underline-offset-4">
        {t("toBilling")}
      </Link>
    </p>
  );
}
