import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader, type SearchParams } from "nuqs/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { InstancesPage } from "@/components/operator/instances-page";
import { instanceListParsers, toListQuery } from "@/components/operator/list-search";
import { requireOperator } from "../require-operator";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("operator"))("instances.title") };
}

const loadView = createLoader(instanceListParsers);

export default async function Instances({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requireOperator("/operator/instances");
  const query = toListQuery(await loadView(searchParams));
  return (
    <FirstPaint reads={[read("listOperatorInstances", { query })]}>
      <InstancesPage />
    </FirstPaint>
  );
}
