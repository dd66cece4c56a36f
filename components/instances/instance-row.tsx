"use client";

import { EllipsisVertical } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Menu } from "@/components/ui/menu";
import { useMoney } from "@/components/ui/money";
import { Tooltip } from "@/components/ui/tooltip";
import { lifeActions } from "@/lib/client/instance-action";
import { hourlyCost } from "@/lib/client/instance-cost";
import { type Instance, imageOf, isSimulated, nameOf, placeOf } from "@/lib/client/own-instances";
import { useActionText } from "./action-texts";
import { lifeIcons, useAskedAction } from "./life-actions";
import { PhaseText, StatusBadge } from "./status-badge";

/** On a wide screen the columns stand under the list's heads; on a phone it is a card. */
export const columns =
  "md:grid md:grid-cols-[1.5rem_minmax(0,1.7fr)_minmax(0,1.5fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,0.9fr)_6.5rem] md:items-center md:gap-x-4";

interface InstanceRowProps {
  instance: Instance;
  selected: boolean;
  onSelect: (selected: boolean) => void;
}

export function InstanceRow({ instance, selected, onSelect }: InstanceRowProps) {
  const t = useTranslations("instances");
  const common = useTranslations("common");
  const money = useMoney();
  const name = nameOf(instance);
  const { gpu_amount, gpu_name } = instance.actual_offer;
  return (
    <li className={`${columns} relative space-y-2 px-4 py-3 md:space-y-0`}>
      <div className="absolute top-3.5 right-4 md:static md:flex">
        <Checkbox
          aria-label={t("select", { name })}
          checked={selected}
          onCheckedChange={(checked) => onSelect(checked)}
        />
      </div>
      <div className="min-w-0 pr-8 md:pr-0">
        <Link
          href={`/instances/${encodeURIComponent(instance.id)}`}
          data-row
          className="block truncate font-medium underline-offset-4 hover:underline"
        >
          {name}
        </Link>
        <p className="truncate text-xs text-subtle">{imageOf(instance)}</p>
      </div>
      <div className="min-w-0">
        <div className="flex flex-wrap gap-1">
          <StatusBadge instance={instance} />
          {isSimulated(instance) && <Badge tone="warning">{t("simulated")}</Badge>}
          {instance.red_flagged && <Badge tone="bad">{t("flagged")}</Badge>}
        </div>
        <PhaseText instance={instance} className="mt-1 line-clamp-2 break-words text-xs text-subtle" />
      </div>
      <p className="text-sm md:truncate">
        {gpu_amount} × {gpu_name}
      </p>
      <p className="text-sm text-subtle md:truncate md:text-foreground">
        {placeOf(instance) || common("unknown")}
      </p>
      <p className="text-sm tabular-nums">
        {t("facts.perHour", { price: money(hourlyCost(instance)) })}
        <span className="ml-2 text-xs text-subtle md:ml-0 md:block">
          {t("soFar", { amount: money(instance.total_cost, "sum") })}
        </span>
      </p>
      <RowActions instance={instance} />
    </li>
  );
}

function RowActions({ instance }: { instance: Instance }) {
  const t = useTranslations("instances");
  const explain = useActionText();
  const { choose, dialog } = useAskedAction(instance);
  const name = nameOf(instance);
  const offered = lifeActions.filter((action) => instance.actions.includes(action));
  const main = offered.find((action) => action === "start" || action === "pause");
  return (
    <div className="flex justify-end gap-1">
      {main && (
        <Tooltip content={explain(instance, main)}>
          <Button
            variant="ghost"
            size="iconSm"
            aria-label={`${t(`actions.${main}`)}: ${name}`}
            onClick={() => choose(main)}
          >
            {lifeIcons[main]}
          </Button>
        </Tooltip>
      )}
      <Menu
        trigger={
          <Button variant="ghost" size="iconSm" aria-label={t("actionsOf", { name })}>
            <EllipsisVertical aria-hidden="true" />
          </Button>
        }
        entries={[
          { kind: "link", label: t("open"), href: `/instances/${encodeURIComponent(instance.id)}` },
          ...offered.map((action) => ({
            label: t(`actions.${action}`),
            icon: lifeIcons[action],
            danger: action === "destroy",
            onSelect: () => choose(action),
          })),
        ]}
      />
      {dialog}
    </div>
  );
}
