"use client";

import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/cn";
import type { OfferSort } from "@/lib/contract/words";
import type { lookOf } from "./offer-columns";

interface SortHeaderProps {
  id: string;
  look: ReturnType<typeof lookOf>;
  sort: OfferSort;
  onSort: (sort: OfferSort) => void;
}

/** The head of a column; one that sorts is a button, and says how it sorts. */
export function SortHeader({ id, look, sort, onSort }: SortHeaderProps) {
  const t = useTranslations("market");
  const { numeric, sort: field } = look;
  const cell = cn(
    "sticky top-0 z-10 h-9 whitespace-nowrap border-y bg-surface px-2 font-medium text-subtle",
    numeric ? "text-right" : "text-left",
    id === "gpu" && "left-10 z-20",
  );
  // The columns' ids are the keys of their names.
  const name = t(`table.${id as "gpu"}`);
  if (!field) {
    return (
      <th scope="col" className={cell}>
        {name}
      </th>
    );
  }
  const direction = sort === `${field}_asc` ? "asc" : sort === `${field}_desc` ? "desc" : null;
  const Icon = direction === "asc" ? ArrowUp : direction === "desc" ? ArrowDown : ChevronsUpDown;
  return (
    <th
      scope="col"
      className={cell}
      aria-sort={direction === "asc" ? "ascending" : direction === "desc" ? "descending" : "none"}
    >
      <button
        type="button"
        title={t("sort.by", { field: t(`sort.fields.${field}`) })}
        onClick={() => onSort(direction === "asc" ? `${field}_desc` : `${field}_asc`)}
        className={cn(
          "inline-flex min-h-6 max-w-full items-center gap-0.5 rounded hover:text-foreground",
          numeric && "flex-row-reverse",
          direction && "text-foreground",
        )}
      >
        <span className="truncate">{name}</span>
        <Icon className={cn("size-3.5 shrink-0", !direction && "opacity-50")} aria-hidden="true" />
      </button>
    </th>
  );
}
