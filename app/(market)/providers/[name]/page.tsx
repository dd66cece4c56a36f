import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { callAsVisitor } from "@/app/_visitor/call-as-visitor";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { visitorCurrency } from "@/app/_visitor/visitor-currency";
import { providerCall, providerOffersCall } from "@/components/gpus/gpu-reads";
import { ProviderPage } from "@/components/gpus/provider-page";
import { Page } from "@/components/ui/page-header";
import { ApiError } from "@/lib/client/call-operation";

interface ProviderRouteProps {
  params: Promise<{ name: string }>;
}

const findProvider = cache(async (name: string) => {
  await requireVisitor(`/providers/${name}`);
  return callAsVisitor("getProvider", providerCall(name)).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) notFound();
    return null;
  });
});

export async function generateMetadata({ params }: ProviderRouteProps): Promise<Metadata> {
  const name = decodeURIComponent((await params).name);
  return { title: (await findProvider(name))?.data.name ?? name };
}

export default async function ProviderRoute({ params }: ProviderRouteProps) {
  const name = decodeURIComponent((await params).name);
  await findProvider(name);
  return (
    <Page>
      <PageMessages of={["market"]}>
        <FirstPaint
          reads={[
            read("getProvider", providerCall(name)),
            read("searchMarket", providerOffersCall(name, await visitorCurrency())),
          ]}
        >
          <ProviderPage name={name} />
        </FirstPaint>
      </PageMessages>
    </Page>
  );
}
