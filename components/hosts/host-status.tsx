"use client";

import { CircleCheck, CircleDashed, TriangleAlert, Wrench } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge, type Tone } from "@/components/ui/badge";
import type { HostStatus as Status } from "@/lib/contract/words";
import type { Host } from "./host-queries";

const looks = {
  active: { tone: "good", Icon: CircleCheck },
  inactive: { tone: "warning", Icon: CircleDashed },
  maintenance: { tone: "info", Icon: Wrench },
  error: { tone: "bad", Icon: TriangleAlert },
} satisfies Record<Status, { tone: Tone; Icon: typeof Wrench }>;

/** How a host stands on the market, why, and what its owner can do about it. */
export function HostStatus({ host, rented }: { host: Host; rented: boolean | undefined }) {
  const t = useTranslations("hosts");
  const { status, status_reason: reason } = host;
  const { tone, Icon } =
    reason === "withdrawn" ? { tone: "neutral" as const, Icon: CircleDashed } : looks[status];
  return (
    <div className="space-y-1">
      <div className="flex flex-wrap items-center gap-1.5">
        <Badge tone={tone}>
          <Icon className="size-3.5" aria-hidden="true" />
          {reason ? t(`reason.${reason}.name`) : t(`status.${status}`)}
        </Badge>
        {rented && <Badge tone="info">{t("rented")}</Badge>}
        {rented === false && status === "active" && <Badge>{t("free")}</Badge>}
      </div>
      <p className="text-xs leading-5 text-subtle">
        {reason ? t(`reason.${reason}.todo`) : t(rented ? "statusGood.rented" : "statusGood.free")}
      </p>
    </div>
  );
}
