import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { callAsVisitor } from "@/app/_visitor/call-as-visitor";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { visitorCurrency } from "@/app/_visitor/visitor-currency";
import { InstancePage } from "@/components/instances/instance-page";
import { Page } from "@/components/ui/page-header";
import { operationQuery } from "@/lib/client/operation-query";
import { nameOf, ownInstances } from "@/lib/client/own-instances";

interface Params {
  params: Promise<{ instance_id: string }>;
}

/** Null where they cannot be had now: then the browser asks, and says why. */
const findOwn = cache(async () => {
  const call = ownInstances(await visitorCurrency());
  const answer = await callAsVisitor("listInstances", call).catch(() => null);
  return { answer, queryKey: operationQuery("listInstances", call).queryKey };
});

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const { instance_id: id } = await params;
  const found = (await findOwn()).answer?.data.find((instance) => instance.id === id);
  return { title: found ? nameOf(found) : (await getTranslations("instances"))("title") };
}

export default async function OneInstancePage({ params }: Params) {
  const { instance_id: id } = await params;
  await requireVisitor(`/instances/${encodeURIComponent(id)}`);
  const { answer, queryKey } = await findOwn();
  if (answer && !answer.data.some((instance) => instance.id === id)) notFound();
  const own = {
    load: async (queries: Parameters<ReturnType<typeof read>["load"]>[0]) =>
      void (answer && queries.setQueryData(queryKey, answer)),
  };
  return (
    <Page>
      <PageMessages of={["instances"]}>
        <FirstPaint reads={[own, read("listSecrets")]}>
          <InstancePage id={id} />
        </FirstPaint>
      </PageMessages>
    </Page>
  );
}
