"use client";

import { useTranslations } from "next-intl";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { type InstanceStatus, instanceStatuses } from "@/lib/contract/words";

interface ListFiltersProps {
  q: string;
  status: InstanceStatus | null;
  onChange: (next: { q?: string | null; status?: InstanceStatus | null }) => void;
  /** How many are left. */
  count: number;
}

const choices = instanceStatuses.filter((status) => status !== "destroyed");

export function ListFilters({ q, status, onChange, count }: ListFiltersProps) {
  const t = useTranslations("instances");
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Field label={t("search")} hideLabel className="w-full sm:w-72">
        <Input
          data-search
          type="search"
          placeholder={t("search")}
          value={q}
          onValueChange={(value) => onChange({ q: value || null })}
        />
      </Field>
      <div className="w-44">
        <Select
          aria-label={t("statusFilter")}
          value={status ?? "all"}
          choices={[
            { value: "all", label: t("allStatuses") },
            ...choices.map((value) => ({ value, label: t(`status.${value}`) })),
          ]}
          onChange={(value) => onChange({ status: choices.find((known) => known === value) ?? null })}
        />
      </div>
      <p role="status" className="text-sm text-subtle">
        {t("count", { count })}
      </p>
    </div>
  );
}
