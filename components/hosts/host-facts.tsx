"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { useMoney } from "@/components/ui/money";
import type { Host, Overview } from "./host-queries";
import { LastReport } from "./last-report";
import { useHostName } from "./use-host-name";

/** What the machine is and how it is known. */
export function HostFacts({ host, overview }: { host: Host; overview: Overview | undefined }) {
  const t = useTranslations("hosts.one");
  const common = useTranslations("common");
  const format = useFormatter();
  const money = useMoney();
  const name = useHostName()(host);
  const { offer } = host;
  const { configuration, location } = offer;
  const unknown = common("unknown");
  const gb = (value: number | null) => (value === null ? unknown : common("units.gb", { value }));
  const speed = (value: number | null) =>
    value === null ? unknown : t("mbits", { value: format.number(value) });
  const place = [location.city, location.country, location.region].filter(Boolean).join(", ");
  const address = host.address && [host.address, host.agent_port].filter(Boolean).join(":");
  return (
    <Card title={t("facts")} className="self-start">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        <Fact name={t("fact.gpu")}>{name}</Fact>
        <Fact name={t("fact.vram")}>{gb(offer.vram)}</Fact>
        <Fact name={t("fact.ram")}>{gb(configuration.ram.amount)}</Fact>
        <Fact name={t("fact.disk")}>{gb(configuration.disk.amount)}</Fact>
        <Fact name={t("fact.diskPrice")}>
          {offer.disk_real_price === null ? unknown : t("gbMonth", { price: money(offer.disk_real_price) })}
        </Fact>
        <Fact name={t("fact.cpu")}>{configuration.cpu_name ?? unknown}</Fact>
        <Fact name={t("fact.vcpu")}>{configuration.vcpu ?? unknown}</Fact>
        <Fact name={t("fact.network")}>
          {speed(configuration.ethernet_in)} / {speed(configuration.ethernet_out)}
        </Fact>
        <Fact name={t("fact.cuda")}>{configuration.max_cuda_version ?? unknown}</Fact>
        <Fact name={t("fact.place")}>{place || unknown}</Fact>
        {overview && (
          <>
            <Fact name={t("fact.since")}>
              {format.dateTime(new Date(overview.created_at), { dateStyle: "medium" })}
            </Fact>
            <Fact name={t("fact.lastReport")}>
              <LastReport host={host} overview={overview} />
            </Fact>
            <Fact name={t("fact.verified")}>{common(overview.verified ? "yes" : "no")}</Fact>
          </>
        )}
        <Fact name={t("fact.address")} copy={address}>
          {address ?? unknown}
        </Fact>
        <Fact name={t("fact.agent")} copy={host.agent_id}>
          {host.agent_id ?? unknown}
        </Fact>
        <Fact name={t("fact.id")} copy={host.id}>
          {host.id}
        </Fact>
        <Fact name={t("fact.offer")} copy={offer.id}>
          {offer.id}
        </Fact>
        <Fact name={t("fact.fingerprint")} copy={host.fingerprint}>
          {host.fingerprint ?? unknown}
          {host.fingerprint && (
            <span className="block font-sans text-xs text-subtle">{t("fingerprintHint")}</span>
          )}
        </Fact>
      </dl>
    </Card>
  );
}

/** `copy` also makes it a thing of a machine, in its type. */
function Fact({ name, copy, children }: { name: string; copy?: string | null; children: ReactNode }) {
  return (
    <>
      <dt className="text-subtle">{name}</dt>
      <dd className="flex min-w-0 items-start justify-end gap-1 text-right">
        <span className={copy ? "min-w-0 break-all font-mono text-xs leading-5" : "min-w-0 break-words"}>
          {children}
        </span>
        {copy && (
          <span className="-my-1.5">
            <CopyButton text={copy} label={name} />
          </span>
        )}
      </dd>
    </>
  );
}
