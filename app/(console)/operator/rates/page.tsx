import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { RatesPage } from "@/components/operator/rates-page";
import { requireOperator } from "../require-operator";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("operator"))("rates.title") };
}

export default async function Rates() {
  await requireOperator("/operator/rates");
  return (
    <FirstPaint reads={[read("listRates")]}>
      <RatesPage />
    </FirstPaint>
  );
}
