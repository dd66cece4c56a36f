import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { visitorCurrency } from "@/app/_visitor/visitor-currency";
import { hostsCall } from "@/components/hosts/host-queries";
import { HostsBoard } from "@/components/hosts/hosts-board";
import { Page } from "@/components/ui/page-header";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("hosts"))("title") };
}

interface HostsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function HostsPage({ searchParams }: HostsPageProps) {
  const { join } = await searchParams;
  await requireVisitor(join === undefined ? "/hosts" : "/hosts?join");
  const currency = await visitorCurrency();
  return (
    <Page>
      <PageMessages of={["hosts"]}>
        <FirstPaint reads={[read("listHosts", hostsCall(currency))]}>
          <HostsBoard />
        </FirstPaint>
      </PageMessages>
    </Page>
  );
}
