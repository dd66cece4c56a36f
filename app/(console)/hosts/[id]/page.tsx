import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { visitorCurrency } from "@/app/_visitor/visitor-currency";
import { hostsCall, overviewCall } from "@/components/hosts/host-queries";
import { HostView } from "@/components/hosts/host-view";
import { Page } from "@/components/ui/page-header";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("hosts"))("title") };
}

interface HostPageProps {
  params: Promise<{ id: string }>;
}

export default async function HostPage({ params }: HostPageProps) {
  const { id } = await params;
  await requireVisitor(`/hosts/${encodeURIComponent(id)}`);
  const currency = await visitorCurrency();
  const reads = [
    read("listHosts", hostsCall(currency)),
    read("getHostOverview", overviewCall(id, currency, null)),
  ];
  return (
    <Page>
      <PageMessages of={["hosts"]}>
        <FirstPaint reads={reads}>
          <HostView id={id} />
        </FirstPaint>
      </PageMessages>
    </Page>
  );
}
