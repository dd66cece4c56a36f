import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { LedgerPage } from "@/components/operator/ledger-page";
import { requireOperator } from "../require-operator";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("operator"))("ledger.title") };
}

export default async function Ledger() {
  await requireOperator("/operator/ledger");
  return <LedgerPage />;
}
