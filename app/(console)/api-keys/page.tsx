import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { ApiKeysPage } from "@/components/api-keys/api-keys-page";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("keys"))("apiKeys.title") };
}

export default async function ApiKeys() {
  await requireVisitor("/api-keys");
  return (
    <PageMessages of={["keys"]}>
      <FirstPaint reads={[read("listApiKeys")]}>
        <ApiKeysPage />
      </FirstPaint>
    </PageMessages>
  );
}
