import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader, type SearchParams } from "nuqs/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { AccountsPage } from "@/components/operator/accounts-page";
import { listParsers, toListQuery } from "@/components/operator/list-search";
import { requireOperator } from "../require-operator";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("operator"))("accounts.title") };
}

const loadView = createLoader(listParsers);

export default async function Accounts({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requireOperator("/operator/accounts");
  const query = toListQuery(await loadView(searchParams));
  return (
    <FirstPaint reads={[read("listOperatorAccounts", { query })]}>
      <AccountsPage />
    </FirstPaint>
  );
}
