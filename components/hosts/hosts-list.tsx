"use client";

import { useTranslations } from "next-intl";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { Field, Input } from "@/components/ui/field";
import type { Host } from "./host-queries";
import { HostRow, hostColumns } from "./host-row";
import { SelectionBar } from "./selection-bar";

const PAGE = 25;
const SEARCHED_FROM = 6;

const columns = ["host", "status", "price", "utilisation", "lastReport"] as const;

/** One's hosts, to choose from and to change many of. */
export function HostsList({ hosts }: { hosts: readonly Host[] }) {
  const t = useTranslations("hosts");
  const common = useTranslations("common");
  const [wanted, setWanted] = useQueryState("find", { defaultValue: "" });
  const [shown, setShown] = useState(PAGE);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const found = hosts.filter((host) => matches(host, wanted));
  const selected = hosts.filter(({ id }) => chosen.has(id));
  const select = (ids: readonly string[], on: boolean) =>
    setChosen((before) => {
      const after = new Set(before);
      for (const id of ids) on ? after.add(id) : after.delete(id);
      return after;
    });
  const all = found.length > 0 && found.every(({ id }) => chosen.has(id));
  return (
    <section aria-labelledby="own-hosts" className="space-y-3">
      <h2 id="own-hosts" className="sr-only">
        {t("list")}
      </h2>
      {hosts.length >= SEARCHED_FROM && (
        <Field label={t("search")} hideLabel className="max-w-sm">
          <Input
            data-search
            type="search"
            value={wanted}
            onValueChange={(value: string) => setWanted(value || null)}
            placeholder={t("searchPlaceholder")}
          />
        </Field>
      )}
      <SelectionBar hosts={selected} onClear={() => setChosen(new Set())} />
      <div className="rounded-xl border bg-surface">
        <div
          className={cn(
            "grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-4 border-b px-4 py-2.5 text-xs font-medium text-subtle",
            hostColumns,
          )}
        >
          <Checkbox
            className="ml-px"
            checked={all}
            indeterminate={!all && selected.length > 0}
            onCheckedChange={(on) =>
              select(
                found.map(({ id }) => id),
                on,
              )
            }
            aria-label={t("selectAll")}
          />
          <span aria-hidden="true" className="lg:hidden">
            {t("selectAll")}
          </span>
          {columns.map((column) => (
            <span key={column} aria-hidden="true" className="hidden lg:block">
              {t(`columns.${column}`)}
            </span>
          ))}
        </div>
        {found.length === 0 ? (
          <div className="flex flex-col items-center gap-3 px-6 py-10 text-center text-sm">
            <p>{t("noneFound")}</p>
            <Button onClick={() => setWanted(null)}>{t("showAll")}</Button>
          </div>
        ) : (
          <ul>
            {found.slice(0, shown).map((host) => (
              <HostRow
                key={host.id}
                host={host}
                selected={chosen.has(host.id)}
                onSelect={(on) => select([host.id], on)}
              />
            ))}
          </ul>
        )}
      </div>
      {found.length > shown && (
        <Button className="w-full" onClick={() => setShown(shown + PAGE)}>
          {common("actions.showMore")}
        </Button>
      )}
    </section>
  );
}

function matches({ id, address, offer, agent_id: agent }: Host, wanted: string): boolean {
  const { city, country } = offer.location;
  const text = [id, address, agent, offer.gpu_name, city, country].filter(Boolean).join(" ").toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
