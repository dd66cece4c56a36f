import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader, type SearchParams } from "nuqs/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { ImportsPage } from "@/components/operator/imports-page";
import { listParsers, toPage } from "@/components/operator/list-search";
import { requireOperator } from "../require-operator";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("operator"))("imports.title") };
}

const loadView = createLoader(listParsers);

export default async function Imports({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requireOperator("/operator/imports");
  const { page } = await loadView(searchParams);
  return (
    <FirstPaint reads={[read("listImports", { query: toPage(page) })]}>
      <ImportsPage />
    </FirstPaint>
  );
}
