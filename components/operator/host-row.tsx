"use client";

import { BadgeCheck, BadgeX, Ban, Server, Undo2 } from "lucide-react";
import { useFormatter, useNow, useTranslations } from "next-intl";
import { useState } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { HostStatus } from "@/lib/contract/words";
import type { OperatorHost } from "./hosts-page";
import { JudgeDialog, type Verdict } from "./judge-dialog";
import { Id, Row } from "./row";
import { RowMenu } from "./row-menu";

const tones: Record<HostStatus, Tone> = {
  active: "good",
  inactive: "neutral",
  maintenance: "warning",
  error: "bad",
};

export function HostRow({ host }: { host: OperatorHost }) {
  const t = useTranslations("operator.hosts");
  const common = useTranslations("common");
  const format = useFormatter();
  const now = useNow({ updateInterval: 10_000 });
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const name = host.gpu_name === null ? t("unmeasured") : `${host.gpu_amount ?? "?"} × ${host.gpu_name}`;
  return (
    <Row
      title={name}
      badges={
        <>
          <Badge tone={tones[host.status]}>{t(`statuses.${host.status}`)}</Badge>
          {host.verified_at && (
            <Badge tone="good">
              <BadgeCheck className="size-3" aria-hidden="true" />
              {t("verified")}
            </Badge>
          )}
          {host.banned_at && <Badge tone="bad">{t("banned")}</Badge>}
          {host.simulated && <Badge tone="warning">{t("simulated")}</Badge>}
        </>
      }
      sub={<Id value={host.id} />}
      facts={[
        { label: t("owner"), value: host.owner.email },
        { label: t("address"), value: host.address ?? common("unknown") },
        { label: t("rented"), value: host.rented ? common("yes") : common("no") },
        {
          label: t("lastReport"),
          value: host.last_report_at
            ? format.relativeTime(new Date(host.last_report_at), now)
            : common("never"),
        },
      ]}
      actions={
        <>
          {host.verified_at === null && host.banned_at === null && (
            <Button
              size="sm"
              aria-label={`${t("verify.button")}: ${name}`}
              onClick={() => setVerdict("verify")}
            >
              <BadgeCheck aria-hidden="true" />
              {t("verify.button")}
            </Button>
          )}
          <RowMenu
            label={t("actionsOf", { name, id: host.id })}
            entries={[
              { kind: "link", label: t("showInstances"), icon: <Server />, href: instancesOn(host) },
              { kind: "separator" },
              host.verified_at === null
                ? { label: t("verify.button"), icon: <BadgeCheck />, onSelect: () => setVerdict("verify") }
                : { label: t("unverify.button"), icon: <BadgeX />, onSelect: () => setVerdict("unverify") },
              host.banned_at === null
                ? { label: t("ban.button"), icon: <Ban />, danger: true, onSelect: () => setVerdict("ban") }
                : { label: t("unban.button"), icon: <Undo2 />, onSelect: () => setVerdict("unban") },
            ]}
          />
          {verdict && (
            <JudgeDialog host={host} name={name} verdict={verdict} onClose={() => setVerdict(null)} />
          )}
        </>
      }
    >
      {(host.status_reason !== null || host.problem !== null) && (
        <p className="break-words text-sm text-subtle">
          {host.status_reason && t(`reasons.${host.status_reason}`)}
          {host.status_reason && host.problem && ": "}
          {host.problem}
        </p>
      )}
    </Row>
  );
}

function instancesOn(host: OperatorHost): string {
  return `/operator/instances?${new URLSearchParams({ search: host.id })}`;
}
