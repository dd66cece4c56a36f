import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { visitorCurrency } from "@/app/_visitor/visitor-currency";
import { InstanceList } from "@/components/instances/instance-list";
import { ButtonLink } from "@/components/ui/button";
import { Page, PageHeader } from "@/components/ui/page-header";
import { ownInstances } from "@/lib/client/own-instances";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("instances"))("title") };
}

export default async function InstancesPage() {
  await requireVisitor("/instances");
  const [t, currency] = await Promise.all([getTranslations("instances"), visitorCurrency()]);
  return (
    <Page>
      <PageHeader
        title={t("title")}
        description={t("description")}
        actions={<ButtonLink href="/market">{t("rentAnother")}</ButtonLink>}
      />
      <PageMessages of={["instances"]}>
        <FirstPaint reads={[read("listInstances", ownInstances(currency))]}>
          <InstanceList />
        </FirstPaint>
      </PageMessages>
    </Page>
  );
}
