"use client";

import { Flag, FlagOff, Server, Trash2, User } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useMoney } from "@/components/ui/money";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import type { InstanceStatus } from "@/lib/contract/words";
import { DestroyDialog } from "./destroy-dialog";
import { FlagDialog } from "./flag-dialog";
import type { OperatorInstance } from "./instances-page";
import { Id, Row } from "./row";
import { RowMenu } from "./row-menu";
import { useFlag } from "./use-flag";

const tones: Record<InstanceStatus, Tone> = {
  pending: "info",
  running: "good",
  paused: "neutral",
  rebooting: "info",
  error: "bad",
  destroyed: "neutral",
};

export function InstanceRow({ instance }: { instance: OperatorInstance }) {
  const t = useTranslations("operator.instances");
  const units = useTranslations("common.units");
  const format = useFormatter();
  const money = useMoney();
  const explain = useProblemText();
  const [asked, setAsked] = useState<"destroy" | "flag" | null>(null);
  const close = () => setAsked(null);
  const flag = useFlag(instance, close);
  const flagged = instance.flagged_at !== null;
  const name = instance.name ?? instance.id;
  const live = instance.status !== "destroyed";
  return (
    <Row
      title={name}
      badges={
        <>
          <Badge tone={tones[instance.status]}>{t(`statuses.${instance.status}`)}</Badge>
          {flagged && (
            <Badge tone="warning">
              <Flag className="size-3" aria-hidden="true" />
              {t("flagged")}
            </Badge>
          )}
        </>
      }
      sub={
        <>
          <span className="break-all">{instance.image}</span>
          {instance.name !== null && (
            <>
              {" · "}
              <Id value={instance.id} />
            </>
          )}
        </>
      }
      facts={[
        { label: t("owner"), value: instance.owner.email },
        { label: t("machine"), value: `${instance.gpu_amount} × ${instance.gpu_name}` },
        { label: t("cost"), value: `${money(instance.cost_per_hour, "price", "USD")}${units("perHour")}` },
        {
          label: t("since"),
          value: format.dateTime(new Date(instance.created_at), { dateStyle: "medium", timeStyle: "short" }),
        },
      ]}
      actions={
        <>
          {live && (
            <Button
              size="sm"
              variant="dangerOutline"
              aria-label={`${t("destroy.button")}: ${name}`}
              onClick={() => setAsked("destroy")}
            >
              <Trash2 aria-hidden="true" />
              {t("destroy.button")}
            </Button>
          )}
          <RowMenu
            label={t("actionsOf", { name })}
            entries={[
              {
                label: t(flagged ? "flag.edit" : "flag.button"),
                icon: <Flag />,
                onSelect: () => setAsked("flag"),
              },
              ...(flagged
                ? [
                    {
                      label: t("flag.unflag"),
                      icon: <FlagOff />,
                      onSelect: () =>
                        flag.mutate({ flagged: false }, { onError: (error) => toast.error(explain(error)) }),
                    },
                  ]
                : []),
              { kind: "separator" },
              {
                kind: "link",
                label: t("showOwner"),
                icon: <User />,
                href: found("accounts", instance.owner.id),
              },
              ...(instance.host_id === null
                ? []
                : [
                    {
                      kind: "link" as const,
                      label: t("showHost"),
                      icon: <Server />,
                      href: found("hosts", instance.host_id),
                    },
                  ]),
            ]}
          />
          {asked === "destroy" && <DestroyDialog instance={instance} onClose={close} />}
          {asked === "flag" && <FlagDialog instance={instance} onClose={close} />}
        </>
      }
    >
      {instance.flag_note !== null && (
        <p className="whitespace-pre-wrap break-words text-sm text-subtle">{instance.flag_note}</p>
      )}
    </Row>
  );
}

function found(list: "accounts" | "hosts", id: string): string {
  return `/operator/${list}?${new URLSearchParams({ search: id })}`;
}
