"use client";

import { Server } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { EmptyState, Problem, SkeletonRows } from "@/components/ui/states";
import type { LifeAction } from "@/lib/client/instance-action";
import { type Instance, imageOf, nameOf } from "@/lib/client/own-instances";
import { instanceStatuses } from "@/lib/contract/words";
import { BulkBar } from "./bulk-bar";
import { columns, InstanceRow } from "./instance-row";
import { ListFilters } from "./list-filters";
import { useInstances } from "./use-instances";

const BulkDialog = dynamic(() => import("./bulk-dialog").then((module) => module.BulkDialog));

const PAGE = 25;

const state = {
  status: parseAsStringLiteral(instanceStatuses),
  q: parseAsString.withDefault(""),
  page: parseAsInteger.withDefault(1),
};

/** Everything that one rents, as it is now. */
export function InstanceList() {
  const t = useTranslations("instances");
  const instances = useInstances();
  if (instances.isPending) return <SkeletonRows rows={6} className="h-16" />;
  if (!instances.data) return <Problem error={instances.error} retry={() => instances.refetch()} />;
  const { data, total_items: total } = instances.data;
  if (data.length === 0) {
    const action = (
      <ButtonLink href="/market" variant="primary">
        {t("empty.action")}
      </ButtonLink>
    );
    return (
      <EmptyState icon={<Server aria-hidden="true" />} title={t("empty.title")} action={action}>
        {t("empty.text")}
      </EmptyState>
    );
  }
  return <Instances instances={data} total={total} />;
}

function Instances({ instances, total }: { instances: Instance[]; total: number }) {
  const t = useTranslations("instances");
  const [{ status, q, page }, setState] = useQueryStates(state);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<{ action: LifeAction; of: Instance[] } | null>(null);
  const found = instances.filter(
    (instance) => (status === null || instance.status === status) && matches(instance, q),
  );
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const at = Math.min(Math.max(page, 1), pages);
  const shown = found.slice((at - 1) * PAGE, at * PAGE);
  const selected = instances.filter(({ id }) => selectedIds.has(id));
  const select = (ids: string[], on: boolean) => {
    const next = new Set(selected.map(({ id }) => id));
    for (const id of ids) on ? next.add(id) : next.delete(id);
    setSelectedIds(next);
  };
  const chosenHere = shown.filter(({ id }) => selectedIds.has(id)).length;
  return (
    <div className="space-y-3">
      <ListFilters
        q={q}
        status={status}
        onChange={(next) => setState({ ...next, page: null })}
        count={found.length}
      />
      {selected.length > 0 && (
        <BulkBar
          selected={selected}
          onClear={() => setSelectedIds(new Set())}
          onAction={(action) => setAsked({ action, of: selected })}
        />
      )}
      {found.length === 0 ? (
        <EmptyState
          title={t("nothingFound.title")}
          action={<Button onClick={() => setState(null)}>{t("nothingFound.action")}</Button>}
        >
          {t("nothingFound.text", { total })}
        </EmptyState>
      ) : (
        <div className="rounded-xl border bg-surface">
          <div className={`${columns} flex gap-4 border-b px-4 py-2 text-xs font-medium text-subtle`}>
            <Checkbox
              aria-label={t("selectAll")}
              checked={chosenHere === shown.length}
              indeterminate={chosenHere > 0 && chosenHere < shown.length}
              onCheckedChange={(checked) =>
                select(
                  shown.map(({ id }) => id),
                  checked,
                )
              }
            />
            {(["name", "status", "gpu", "place", "cost"] as const).map((column) => (
              <span key={column} className={column === "name" ? "" : "hidden md:inline"}>
                {t(`columns.${column}`)}
              </span>
            ))}
          </div>
          <ul className="divide-y" aria-label={t("title")}>
            {shown.map((instance) => (
              <InstanceRow
                key={instance.id}
                instance={instance}
                selected={selectedIds.has(instance.id)}
                onSelect={(on) => select([instance.id], on)}
              />
            ))}
          </ul>
        </div>
      )}
      {pages > 1 && <Pages at={at} pages={pages} onChange={(next) => setState({ page: next })} />}
      {instances.length < total && (
        <p className="text-sm text-subtle">{t("newestOnly", { shown: instances.length, total })}</p>
      )}
      {asked && (
        <BulkDialog
          action={asked.action}
          selected={asked.of}
          onClose={() => {
            setAsked(null);
            setSelectedIds(new Set());
          }}
        />
      )}
    </div>
  );
}

function matches(instance: Instance, q: string): boolean {
  const wanted = q.trim().toLowerCase();
  const words = [nameOf(instance), imageOf(instance), instance.actual_offer.gpu_name, instance.id];
  return words.some((word) => word.toLowerCase().includes(wanted));
}

function Pages({ at, pages, onChange }: { at: number; pages: number; onChange: (page: number) => void }) {
  const t = useTranslations("common.table");
  return (
    <nav className="flex items-center justify-end gap-3 text-sm">
      <Button size="sm" disabled={at === 1} onClick={() => onChange(at - 1)}>
        {t("previous")}
      </Button>
      <span>{t("page", { page: at, pages })}</span>
      <Button size="sm" disabled={at === pages} onClick={() => onChange(at + 1)}>
        {t("next")}
      </Button>
    </nav>
  );
}
