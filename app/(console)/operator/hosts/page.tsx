import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader, type SearchParams } from "nuqs/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { HostsPage } from "@/components/operator/hosts-page";
import { hostListParsers, toListQuery } from "@/components/operator/list-search";
import { requireOperator } from "../require-operator";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("operator"))("hosts.title") };
}

const loadView = createLoader(hostListParsers);

export default async function Hosts({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requireOperator("/operator/hosts");
  const query = toListQuery(await loadView(searchParams));
  return (
    <FirstPaint reads={[read("listOperatorHosts", { query })]}>
      <HostsPage />
    </FirstPaint>
  );
}
