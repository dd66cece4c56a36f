"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useCurrency } from "@/components/shell/currency";
import { useVisitor } from "@/components/shell/visitor";
import { Badge } from "@/components/ui/badge";
import { useMoney } from "@/components/ui/money";
import { Problem, SkeletonRows } from "@/components/ui/states";
import type { AnswerOf } from "@/lib/client/call-operation";
import { cheapestSearch } from "@/lib/client/cheapest-search";
import { operationQuery } from "@/lib/client/operation-query";

type Offer = AnswerOf<"searchMarket">["data"][number];

/** The cheapest offers that can be rented now, for someone who is signed in. */
export function CheapestOffers() {
  const t = useTranslations("home.cheapest");
  const visitor = useVisitor();
  const search = useQuery({
    ...operationQuery("searchMarket", { body: cheapestSearch(useCurrency()) }),
    enabled: visitor !== null,
  });
  if (!visitor) return <p className="mt-4 text-subtle">{t("signIn")}</p>;
  if (search.isPending) return <SkeletonRows rows={8} className="mt-4 h-11" />;
  if (search.error) return <Problem error={search.error} retry={() => search.refetch()} />;
  const { data: offers, total_items: total } = search.data;
  if (offers.length === 0) return <p className="mt-4">{t("empty")}</p>;
  return <Offers offers={offers} total={total} />;
}

function Offers({ offers, total }: { offers: Offer[]; total: number }) {
  const t = useTranslations("home.cheapest");
  const money = useMoney();
  const common = useTranslations("common");
  return (
    <>
      <div className="mt-6 overflow-x-auto rounded-xl border bg-surface">
        <table className="w-full text-left text-sm">
          <thead className="border-b text-subtle">
            <tr>
              <th className="px-4 py-3 font-medium">{t("gpu")}</th>
              <th className="hidden px-4 py-3 font-medium sm:table-cell">{t("memory")}</th>
              <th className="hidden px-4 py-3 font-medium sm:table-cell">{t("place")}</th>
              <th className="px-4 py-3 text-right font-medium">{t("price")}</th>
            </tr>
          </thead>
          <tbody>
            {offers.map((offer) => {
              const hour = offer.prices.find(({ period }) => period === "hour");
              const place = [offer.location.city, offer.location.country].filter(Boolean).join(", ");
              const memory =
                offer.vram === null ? common("unknown") : common("units.gb", { value: offer.vram });
              return (
                <tr key={offer.id} className="border-b last:border-0">
                  <td className="px-4 py-3 font-medium">
                    {offer.gpu_amount} × {offer.gpu_name}
                    {offer.simulated && (
                      <Badge tone="warning" className="ml-2">
                        {t("simulated")}
                      </Badge>
                    )}
                    <span className="block font-normal text-subtle sm:hidden">
                      {memory}, {place || common("unknown")}
                    </span>
                  </td>
                  <td className="hidden whitespace-nowrap px-4 py-3 sm:table-cell">{memory}</td>
                  <td className="hidden px-4 py-3 sm:table-cell">{place || common("unknown")}</td>
                  <td className="whitespace-nowrap px-4 py-3 text-right tabular-nums">
                    {hour ? money(hour.price) : common("unknown")}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className="mt-3 text-sm text-subtle">
        {t("shown", { shown: offers.length, total })}{" "}
        <Link href="/market" className="font-medium text-primary underline underline-offset-4">
          {t("all")}
        </Link>
      </p>
    </>
  );
}
