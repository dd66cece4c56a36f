"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState, Problem, SkeletonRows } from "@/components/ui/states";
import { pagesOf } from "./list-search";

interface ListingProps<Item> {
  /** Names the list for screen readers. */
  label: string;
  query: UseQueryResult<{ data: Item[]; total_items: number }>;
  page: number;
  onPage: (page: number) => void;
  /** Where nothing is there. */
  empty: ReactNode;
  /** Whether something was asked for that may exclude all. */
  narrowed: boolean;
  onWiden: () => void;
  children: (item: Item) => ReactNode;
}

/** The rows of a list, page by page, in every state that it can be in. */
export function Listing<Item>({
  label,
  query,
  page,
  onPage,
  empty,
  narrowed,
  onWiden,
  children,
}: ListingProps<Item>) {
  const t = useTranslations("operator.list");
  if (query.isPending) return <SkeletonRows rows={8} className="h-16" />;
  if (query.error) return <Problem error={query.error} retry={() => query.refetch()} />;
  const { data: items, total_items: total } = query.data;
  if (items.length === 0 && page > 1) {
    return (
      <EmptyState title={t("pastEnd")} action={<Button onClick={() => onPage(1)}>{t("first")}</Button>} />
    );
  }
  if (items.length === 0 && narrowed) {
    return <EmptyState title={t("noMatch")} action={<Button onClick={onWiden}>{t("showAll")}</Button>} />;
  }
  if (items.length === 0) return empty;
  return (
    <div aria-busy={query.isPlaceholderData}>
      <ul aria-label={label} className="divide-y rounded-xl border bg-surface">
        {items.map(children)}
      </ul>
      <Pager page={page} total={total} onPage={onPage} />
    </div>
  );
}

export function Pager({
  page,
  total,
  onPage,
}: {
  page: number;
  total: number;
  onPage: (page: number) => void;
}) {
  const t = useTranslations("common.table");
  const pages = pagesOf(total);
  return (
    <div className="mt-3 flex items-center justify-between gap-4 text-sm text-subtle">
      <p role="status">{t("rows", { count: total })}</p>
      {pages > 1 && (
        <div className="flex items-center gap-2">
          <Button
            size="iconSm"
            aria-label={t("previous")}
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          >
            <ChevronLeft aria-hidden="true" />
          </Button>
          <span className="tabular-nums">{t("page", { page, pages })}</span>
          <Button
            size="iconSm"
            aria-label={t("next")}
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
          >
            <ChevronRight aria-hidden="true" />
          </Button>
        </div>
      )}
    </div>
  );
}
