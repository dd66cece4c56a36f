import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { visitorCurrency } from "@/app/_visitor/visitor-currency";
import { GpuList } from "@/components/gpus/gpu-list";
import { gpusCall } from "@/components/gpus/gpu-reads";
import { Page, PageHeader } from "@/components/ui/page-header";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("market.gpus"))("title") };
}

export default async function GpusPage() {
  await requireVisitor("/gpus");
  const t = await getTranslations("market.gpus");
  return (
    <Page>
      <PageHeader title={t("title")} description={t("description")} />
      <PageMessages of={["market"]}>
        <FirstPaint reads={[read("listGpus", gpusCall(await visitorCurrency()))]}>
          <GpuList />
        </FirstPaint>
      </PageMessages>
    </Page>
  );
}
