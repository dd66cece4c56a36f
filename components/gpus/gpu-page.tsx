"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { useCurrency } from "@/components/shell/currency";
import { ButtonLink } from "@/components/ui/button";
import { Card, Stat } from "@/components/ui/card";
import { useMoney } from "@/components/ui/money";
import { PageHeader } from "@/components/ui/page-header";
import { Problem, Skeleton, SkeletonRows } from "@/components/ui/states";
import { marketHref } from "@/lib/client/market-search";
import { operationQuery } from "@/lib/client/operation-query";
import { BenchmarkBars } from "./benchmark-bars";
import { gpuCall, gpuOffersCall, gpuPricesCall } from "./gpu-reads";
import { OfferLines } from "./offer-lines";

const PriceHistory = dynamic(() => import("./price-history").then((file) => file.PriceHistory), {
  ssr: false,
  loading: () => <Skeleton className="h-55" />,
});

/** One GPU: what it is, how fast, what it costs now and what it has cost here. */
export function GpuPage({ name }: { name: string }) {
  const t = useTranslations("market.gpu");
  const currency = useCurrency();
  const locale = useLocale();
  const money = useMoney();
  const gpu = useQuery(operationQuery("getGpu", gpuCall(name, locale, currency)));
  const offers = useQuery(operationQuery("searchMarket", gpuOffersCall(name, currency)));
  const prices = useQuery(operationQuery("listGpuPrices", gpuPricesCall(name, currency)));
  if (gpu.isPending) return <SkeletonRows rows={6} className="h-24" />;
  if (gpu.error) return <Problem error={gpu.error} retry={() => gpu.refetch()} />;
  const { name: title, description, best_price, configuration, features, benchmarks } = gpu.data.data;
  const market = marketHref({ gpu_translit_name: [name], sort: "price_per_gpu_asc" });
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <>
            <ButtonLink href="/gpus">{t("all")}</ButtonLink>
            <ButtonLink href={market} variant="primary">
              {t("toMarket")}
            </ButtonLink>
          </>
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title={t("now")} className="lg:col-span-2">
          <dl className="mb-3 grid grid-cols-2 gap-4">
            <Stat
              label={t("cheapest")}
              value={best_price === null ? t("noOffer") : money(best_price, "price", gpu.data.data.currency)}
              hint={t("perGpuHour")}
            />
            <Stat label={t("offers")} value={offers.data ? offers.data.total_items : "…"} />
          </dl>
          {offers.isPending && <SkeletonRows rows={4} className="h-11" />}
          {offers.error && <Problem error={offers.error} retry={() => offers.refetch()} />}
          {offers.data?.data.length === 0 && <p className="text-sm text-subtle">{t("noOffers")}</p>}
          {offers.data && offers.data.data.length > 0 && (
            <>
              <OfferLines offers={offers.data.data} />
              {offers.data.total_items > offers.data.data.length && (
                <Link
                  href={market}
                  className="mt-3 inline-block text-sm text-primary underline underline-offset-4"
                >
                  {t("allOffers", { count: offers.data.total_items })}
                </Link>
              )}
            </>
          )}
        </Card>
        <Card title={t("history")}>
          {prices.isPending && <Skeleton className="h-55" />}
          {prices.error && <Problem error={prices.error} retry={() => prices.refetch()} />}
          {prices.data && <PriceHistory points={prices.data.data} currency={currency} />}
        </Card>
        <Card title={t("benchmarks")}>
          <BenchmarkBars benchmarks={benchmarks} />
        </Card>
        <Card title={t("facts")} className="lg:col-span-2">
          <dl className="grid gap-x-8 sm:grid-cols-2">
            {configuration.map(({ name: fact, value, unit }) => (
              <div key={fact} className="flex justify-between gap-4 border-b py-1.5 text-sm">
                <dt className="text-subtle">{fact}</dt>
                <dd className="text-right tabular-nums">
                  {value} {unit}
                </dd>
              </div>
            ))}
          </dl>
          {features.length > 0 && (
            <ul className="mt-4 flex flex-wrap gap-1.5" aria-label={t("features")}>
              {features.map((feature) => (
                <li key={feature} className="rounded bg-muted px-2 py-0.5 text-xs">
                  {feature}
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </>
  );
}
