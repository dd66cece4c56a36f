import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { AccountPage } from "@/components/account/account-page";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("account"))("title") };
}

export default async function Account() {
  await requireVisitor("/account");
  return (
    <PageMessages of={["account"]}>
      <FirstPaint reads={[read("getAccount")]}>
        <AccountPage />
      </FirstPaint>
    </PageMessages>
  );
}
