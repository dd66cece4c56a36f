import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { SearchParams } from "nuqs/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { visitorCurrency } from "@/app/_visitor/visitor-currency";
import { BillingPage } from "@/components/billing/billing-page";
import { entriesPage, loadEntryFilters } from "@/lib/client/entry-filters";
import { ownInstances } from "@/lib/client/own-instances";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("billing"))("title") };
}

export default async function Billing({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requireVisitor("/billing");
  const [currency, filters] = await Promise.all([visitorCurrency(), loadEntryFilters(searchParams)]);
  return (
    <PageMessages of={["billing"]}>
      <FirstPaint
        reads={[
          read("getBilling", { query: { currency } }),
          read("listBillingUsage", { query: { currency } }),
          read("listInstances", ownInstances(currency)),
          read("listBillingEntries", entriesPage(filters, currency)),
        ]}
      >
        <BillingPage />
      </FirstPaint>
    </PageMessages>
  );
}
