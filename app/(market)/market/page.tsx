import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { visitorCurrency } from "@/app/_visitor/visitor-currency";
import { Market } from "@/components/market/market";
import {
  marketHref,
  marketParsers,
  marketUrlKeys,
  toFacetsBody,
  toSearch,
  toSearchPage,
} from "@/lib/client/market-search";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("market");
  return { title: t("title"), description: t("description") };
}

const readAddress = createLoader(marketParsers, { urlKeys: marketUrlKeys });

interface MarketPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function MarketPage({ searchParams }: MarketPageProps) {
  const state = await readAddress(searchParams);
  await requireVisitor(marketHref(state));
  const search = toSearch(state, await visitorCurrency());
  return (
    <PageMessages of={["market", "rent"]}>
      <FirstPaint
        reads={[
          read("searchMarket", { body: toSearchPage(search, 0) }),
          read("countMarketFacets", { body: toFacetsBody(search) }),
        ]}
      >
        <Market />
      </FirstPaint>
    </PageMessages>
  );
}
