"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { useQueryStates } from "nuqs";
import { useCurrency } from "@/components/shell/currency";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Problem, SkeletonRows } from "@/components/ui/states";
import { ENTRIES_A_PAGE, entriesPage, entryParsers } from "@/lib/client/entry-filters";
import { operationQuery } from "@/lib/client/operation-query";
import { CsvButton } from "./csv-button";
import { EntryTable } from "./entry-table";
import { LedgerFilters } from "./ledger-filters";
import { useInstanceNames } from "./use-instance-names";

/** Every movement of one's money, newest first; what the address asks for. */
export function Ledger() {
  const t = useTranslations("billing.ledger");
  const common = useTranslations("common.table");
  const currency = useCurrency();
  const [filters, setFilters] = useQueryStates(entryParsers);
  const names = useInstanceNames();
  const entries = useQuery({
    ...operationQuery("listBillingEntries", entriesPage(filters, currency)),
    placeholderData: keepPreviousData,
  });
  const total = entries.data?.total_items ?? 0;
  const pages = Math.max(1, Math.ceil(total / ENTRIES_A_PAGE));
  const page = Math.min(Math.max(1, filters.page), pages);
  const filtered = Object.entries(filters).some(([name, value]) => name !== "page" && value !== null);
  return (
    <Card title={t("title")} actions={<CsvButton filters={filters} />}>
      <LedgerFilters
        filters={filters}
        names={names}
        onChange={(changed) => setFilters({ ...changed, page: null })}
        onClear={filtered ? () => setFilters(null) : undefined}
      />
      {entries.isPending ? (
        <SkeletonRows rows={8} className="mt-4 h-10" />
      ) : entries.error ? (
        <Problem error={entries.error} retry={() => entries.refetch()} />
      ) : entries.data.data.length === 0 ? (
        <p className="py-10 text-center text-sm text-subtle">{t(filtered ? "noneFound" : "empty")}</p>
      ) : (
        <EntryTable entries={entries.data.data} names={names} />
      )}
      {total > 0 && (
        <nav aria-label={t("pages")} className="mt-3 flex items-center justify-end gap-2 text-sm text-subtle">
          <span className="mr-auto" role="status">
            {t("count", { count: total })}
          </span>
          <Button
            variant="ghost"
            size="iconSm"
            aria-label={common("previous")}
            disabled={page <= 1}
            onClick={() => setFilters({ page: page - 1 })}
          >
            <ChevronLeft aria-hidden="true" />
          </Button>
          {common("page", { page, pages })}
          <Button
            variant="ghost"
            size="iconSm"
            aria-label={common("next")}
            disabled={page >= pages}
            onClick={() => setFilters({ page: page + 1 })}
          >
            <ChevronRight aria-hidden="true" />
          </Button>
        </nav>
      )}
    </Card>
  );
}
