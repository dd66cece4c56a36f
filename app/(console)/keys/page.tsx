import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { KeysPage } from "@/components/keys/keys-page";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("keys"))("title") };
}

export default async function Keys() {
  await requireVisitor("/keys");
  return (
    <PageMessages of={["keys"]}>
      <FirstPaint reads={[read("listSecrets"), read("listInstances")]}>
        <KeysPage />
      </FirstPaint>
    </PageMessages>
  );
}
