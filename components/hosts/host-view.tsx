"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, EyeOff, Megaphone, Server, Trash2 } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCurrency } from "@/components/shell/currency";
import { Badge } from "@/components/ui/badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CurlButton } from "@/components/ui/curl-button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState, Problem, Skeleton, SkeletonRows } from "@/components/ui/states";
import { DeleteHost } from "./delete-host";
import { HostEarnings } from "./host-earnings";
import { HostFacts } from "./host-facts";
import { type Host, hostsQuery, isSimulated, overviewCall, overviewQuery } from "./host-queries";
import { HostStatus } from "./host-status";
import { PriceEditor } from "./price-editor";
import { useHostName } from "./use-host-name";
import { useListing } from "./use-listing";
import { UtilisationTable } from "./utilisation-table";

/** One host of one's own: how it stands, what it costs, earns and is. */
export function HostView({ id }: { id: string }) {
  const t = useTranslations("hosts.one");
  const hosts = useQuery(hostsQuery(useCurrency()));
  if (hosts.isPending) return <SkeletonRows rows={3} className="h-48" />;
  if (!hosts.data) return <Problem error={hosts.error} retry={() => hosts.refetch()} />;
  const host = hosts.data.data.find((each) => each.id === id);
  if (host) return <Found host={host} />;
  return (
    <>
      <PageHeader title={t("missing")} />
      <EmptyState
        icon={<Server aria-hidden="true" />}
        title={t("missingText")}
        action={<ButtonLink href="/hosts">{t("back")}</ButtonLink>}
      />
    </>
  );
}

function Found({ host }: { host: Host }) {
  const t = useTranslations("hosts");
  const currency = useCurrency();
  const name = useHostName()(host);
  const listing = useListing();
  const [deleting, setDeleting] = useState(false);
  const overview = useQuery(overviewQuery(host.id, currency)).data?.data;
  const withdrawn = host.status_reason === "withdrawn";
  const found = [
    ...(overview?.problem ? [overview.problem] : []),
    ...(overview?.failures.map(({ detail }) => detail) ?? []),
  ];
  return (
    <>
      <Link
        href="/hosts"
        className="mb-2 inline-flex items-center gap-1 text-sm text-subtle hover:text-foreground"
      >
        <ChevronLeft className="size-4" aria-hidden="true" />
        {t("one.back")}
      </Link>
      <PageHeader
        title={name}
        description={isSimulated(host) ? t("simulatedHint") : host.address}
        actions={
          <>
            {isSimulated(host) && <Badge tone="warning">{t("simulated")}</Badge>}
            <CurlButton name="getHostOverview" call={overviewCall(host.id, currency, null)} />
            <Button
              busy={listing.isPending}
              onClick={() => listing.mutate({ hosts: [host], to: withdrawn ? "relist" : "withdraw" })}
            >
              {withdrawn ? <Megaphone aria-hidden="true" /> : <EyeOff aria-hidden="true" />}
              {t(withdrawn ? "actions.relist" : "actions.withdraw")}
            </Button>
            <Button variant="dangerOutline" onClick={() => setDeleting(true)}>
              <Trash2 aria-hidden="true" />
              {t("actions.delete")}
            </Button>
          </>
        }
      />
      <div className="grid gap-4 lg:grid-cols-3">
        <div className="space-y-4 lg:col-span-2">
          <div className="grid gap-4 sm:grid-cols-2">
            <Card title={t("one.status")}>
              <div aria-live="polite">
                <HostStatus host={host} rented={overview?.rented} />
              </div>
              {found.length > 0 && (
                <div className="mt-3 rounded-lg bg-danger-soft p-3 text-sm text-on-danger-soft">
                  <h3 className="font-medium">{t("one.problem")}</h3>
                  <ul className="mt-1 list-outside list-disc space-y-1 break-words pl-5">
                    {[...new Set(found)].map((sentence) => (
                      <li key={sentence}>{sentence}</li>
                    ))}
                  </ul>
                </div>
              )}
            </Card>
            <Card title={t("one.price")}>
              <PriceEditor host={host} />
              <p className="mt-3 text-xs text-subtle">{t("price.note")}</p>
            </Card>
          </div>
          <HostEarnings hostId={host.id} />
          <Card title={t("one.utilisation")}>
            {overview ? <UtilisationTable days={overview.utilisation} /> : <Skeleton className="h-64" />}
          </Card>
        </div>
        <HostFacts host={host} overview={overview} />
      </div>
      <DeleteHost host={host} open={deleting} onOpenChange={setDeleting} rented={overview?.rented ?? false} />
    </>
  );
}
