import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale } from "next-intl/server";
import { cache } from "react";
import { callAsVisitor } from "@/app/_visitor/call-as-visitor";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { visitorCurrency } from "@/app/_visitor/visitor-currency";
import { GpuPage } from "@/components/gpus/gpu-page";
import { gpuCall, gpuOffersCall, gpuPricesCall } from "@/components/gpus/gpu-reads";
import { Page } from "@/components/ui/page-header";
import { ApiError } from "@/lib/client/call-operation";

interface GpuRouteProps {
  params: Promise<{ name: string }>;
}

const findGpu = cache(async (name: string) => {
  await requireVisitor(`/gpus/${name}`);
  const call = gpuCall(name, await getLocale(), await visitorCurrency());
  return callAsVisitor("getGpu", call).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) notFound();
    return null;
  });
});

export async function generateMetadata({ params }: GpuRouteProps): Promise<Metadata> {
  const name = decodeURIComponent((await params).name);
  const gpu = await findGpu(name);
  return gpu ? { title: gpu.data.name, description: gpu.data.description } : { title: name };
}

export default async function GpuRoute({ params }: GpuRouteProps) {
  const name = decodeURIComponent((await params).name);
  await findGpu(name);
  const currency = await visitorCurrency();
  return (
    <Page>
      <PageMessages of={["market"]}>
        <FirstPaint
          reads={[
            read("getGpu", gpuCall(name, await getLocale(), currency)),
            read("searchMarket", gpuOffersCall(name, currency)),
            read("listGpuPrices", gpuPricesCall(name, currency)),
          ]}
        >
          <GpuPage name={name} />
        </FirstPaint>
      </PageMessages>
    </Page>
  );
}
