"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useCurrency } from "@/components/shell/currency";
import { ButtonLink } from "@/components/ui/button";
import { Card, Stat } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { Problem, SkeletonRows } from "@/components/ui/states";
import { marketHref } from "@/lib/client/market-search";
import { operationQuery } from "@/lib/client/operation-query";
import { providerCall, providerOffersCall } from "./gpu-reads";
import { OfferLines } from "./offer-lines";

/** One provider: who it is and what it offers now. */
export function ProviderPage({ name }: { name: string }) {
  const t = useTranslations("market.provider");
  const provider = useQuery(operationQuery("getProvider", providerCall(name)));
  const offers = useQuery(operationQuery("searchMarket", providerOffersCall(name, useCurrency())));
  if (provider.isPending) return <SkeletonRows rows={6} className="h-24" />;
  if (provider.error) return <Problem error={provider.error} retry={() => provider.refetch()} />;
  const { name: title, description, country, offers: count, gpus_count } = provider.data.data;
  return (
    <>
      <PageHeader
        title={title}
        description={description ?? t("noDescription")}
        actions={
          <ButtonLink href={marketHref({ provider: name })} variant="primary">
            {t("toMarket")}
          </ButtonLink>
        }
      />
      <Card>
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
          <Stat label={t("offers")} value={count} />
          <Stat label={t("gpus")} value={gpus_count} />
          <Stat label={t("country")} value={country ?? "–"} />
        </dl>
      </Card>
      <Card title={t("now")} className="mt-4">
        {offers.isPending && <SkeletonRows rows={6} className="h-11" />}
        {offers.error && <Problem error={offers.error} retry={() => offers.refetch()} />}
        {offers.data?.data.length === 0 && <p className="text-sm text-subtle">{t("none")}</p>}
        {offers.data && offers.data.data.length > 0 && <OfferLines offers={offers.data.data} />}
      </Card>
    </>
  );
}
