import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader, type SearchParams } from "nuqs/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { listParsers, toListQuery } from "@/components/operator/list-search";
import { TemplatesPage } from "@/components/operator/templates-page";
import { requireOperator } from "../require-operator";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("operator"))("templates.title") };
}

const loadView = createLoader(listParsers);

export default async function Templates({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requireOperator("/operator/templates");
  const query = toListQuery(await loadView(searchParams));
  return (
    <FirstPaint reads={[read("listOperatorTemplates", { query })]}>
      <TemplatesPage />
    </FirstPaint>
  );
}
