"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Badge } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { Problem, Skeleton } from "@/components/ui/states";
import { Tabs } from "@/components/ui/tabs";
import { type Instance, isSimulated, nameOf } from "@/lib/client/own-instances";
import { ConnectPanel } from "./connect-panel";
import { InstanceFacts } from "./instance-facts";
import { InstanceSettings } from "./instance-settings";
import { KeyPanel } from "./key-panel";
import { LifeActions } from "./life-actions";
import { LostInstance } from "./lost-instance";
import { PhaseText, StatusBadge } from "./status-badge";
import { Timeline } from "./timeline";
import { useInstances } from "./use-instances";

const loading = () => <Skeleton className="h-96" />;
const LogView = dynamic(() => import("@/components/logs/log-view").then((module) => module.LogView), {
  loading,
});
const InstanceCharts = dynamic(() => import("./instance-charts").then((module) => module.InstanceCharts), {
  loading,
});

const tabs = ["connect", "logs", "charts", "timeline", "settings"] as const;

/** One instance: how it is, how to reach it, what it writes and costs. */
export function InstancePage({ id }: { id: string }) {
  const instances = useInstances();
  if (instances.isPending) return loading();
  if (!instances.data) return <Problem error={instances.error} retry={() => instances.refetch()} />;
  const instance = instances.data.data.find((one) => one.id === id);
  if (!instance) return <LostInstance />;
  return <Present instance={instance} askedAt={instances.dataUpdatedAt} />;
}

function Present({ instance, askedAt }: { instance: Instance; askedAt: number }) {
  const t = useTranslations("instances");
  const router = useRouter();
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(tabs).withDefault("connect"));
  const content = {
    connect: (
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ConnectPanel instance={instance} />
        <KeyPanel instance={instance} />
      </div>
    ),
    logs: <LogView id={instance.id} name={nameOf(instance)} />,
    charts: <InstanceCharts id={instance.id} />,
    timeline: <Timeline instance={instance} />,
    settings: <InstanceSettings instance={instance} onDestroyed={() => router.push("/instances")} />,
  };
  return (
    <>
      <Link href="/instances" className="text-sm text-subtle underline-offset-4 hover:underline">
        ← {t("all")}
      </Link>
      <PageHeader
        title={nameOf(instance)}
        actions={<LifeActions instance={instance} onDestroyed={() => router.push("/instances")} />}
      />
      <div role="status" className="-mt-3 mb-4 flex flex-wrap items-center gap-2">
        <StatusBadge instance={instance} />
        {isSimulated(instance) && <Badge tone="warning">{t("simulated")}</Badge>}
        {instance.red_flagged && <Badge tone="bad">{t("flagged")}</Badge>}
        <PhaseText instance={instance} className="min-w-0 break-words text-sm text-subtle" />
      </div>
      <InstanceFacts instance={instance} askedAt={askedAt} />
      <Tabs
        aria-label={t("tabs.label")}
        value={tab}
        onChange={(next) => void setTab(next, { history: "push" })}
        tabs={tabs.map((value) => ({ value, label: t(`tabs.${value}`), content: content[value] }))}
      />
    </>
  );
}
