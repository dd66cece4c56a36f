"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { EntryFilters } from "@/lib/client/entry-filters";
import { movementKinds, ownAccounts } from "@/lib/contract/words";

interface LedgerFiltersProps {
  filters: EntryFilters;
  /** Of the instances to choose from. */
  names: ReadonlyMap<string, string | null>;
  onChange: (changed: Partial<EntryFilters>) => void;
  onClear: (() => void) | undefined;
}

export function LedgerFilters({ filters, names, onChange, onClear }: LedgerFiltersProps) {
  const t = useTranslations("billing.ledger");
  const { kind, account, instance, from, to } = filters;
  const instances = [...new Set([...names.keys(), ...(instance ? [instance] : [])])];
  const any = { value: "any" as const, label: t("any") };
  return (
    <search aria-label={t("filters")} className="flex flex-wrap items-end gap-3">
      <Field label={t("kind")} className="w-40">
        <Select
          size="sm"
          value={kind ?? "any"}
          onChange={(value) => onChange({ kind: value === "any" ? null : value })}
          choices={[any, ...movementKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))]}
        />
      </Field>
      <Field label={t("account")} className="w-40">
        <Select
          size="sm"
          value={account ?? "any"}
          onChange={(value) => onChange({ account: value === "any" ? null : value })}
          choices={[any, ...ownAccounts.map((value) => ({ value, label: t(`accounts.${value}`) }))]}
        />
      </Field>
      <Field label={t("instance")} className="w-48">
        <Select<string>
          size="sm"
          value={instance ?? "any"}
          onChange={(value) => onChange({ instance: value === "any" ? null : value })}
          choices={[any, ...instances.map((value) => ({ value, label: names.get(value) ?? value }))]}
        />
      </Field>
      <Field label={t("from")} className="w-36">
        <Input
          type="date"
          className="h-8"
          value={from ?? ""}
          max={to ?? undefined}
          onValueChange={(value) => onChange({ from: value || null })}
        />
      </Field>
      <Field label={t("to")} className="w-36">
        <Input
          type="date"
          className="h-8"
          value={to ?? ""}
          min={from ?? undefined}
          onValueChange={(value) => onChange({ to: value || null })}
        />
      </Field>
      {onClear && (
        <Button variant="ghost" size="sm" onClick={onClear}>
          {t("clear")}
        </Button>
      )}
    </search>
  );
}
