"use client";

import { useTable } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { cn } from "@/components/ui/cn";
import { columnLooks, lookOf, makeOfferColumns, offerFeatures } from "./offer-columns";
import { OfferRow, WaitingRow } from "./offer-row";
import { useOfferWords } from "./offer-words";
import type { OfferListProps } from "./offers";
import { SortHeader } from "./sort-header";
import { useOffersInSight } from "./use-offer-pages";

const ROW_PX = 52;
const FIRST_PX = 820;
const PICK_PX = 40;
/** Room for the word in every language. */
const RENT_PX = 120;
const WIDTH_PX = Object.values(columnLooks).reduce((sum, { width }) => sum + width, PICK_PX + RENT_PX);

/** All offers of a search: rows are made as they come into sight. */
export function OfferTable({ market, first, isOld, picked, onPick, onOpen }: OfferListProps) {
  const t = useTranslations("market.table");
  const words = useOfferWords();
  const { search, change } = market;
  const box = useRef<HTMLElement>(null);
  const { total_items: total } = first;
  // Who scrolled before the scripts were there stays there: the virtualizer begins at the top.
  const scrolled = useRef(0);
  useLayoutEffect(() => {
    scrolled.current = box.current?.scrollTop ?? 0;
  }, []);
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 4,
    initialRect: { width: WIDTH_PX, height: FIRST_PX },
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const { offers, placeOf } = useOffersInSight(
    search,
    first,
    isOld,
    items.map(({ index }) => index),
  );
  const columns = useMemo(() => makeOfferColumns(t, words), [t, words]);
  const table = useTable({ features: offerFeatures, columns, data: offers, getRowId: ({ id }) => id });
  const { rows } = table.getRowModel();
  useEffect(() => {
    if (scrolled.current > 0) box.current?.scrollTo({ top: scrolled.current });
  }, []);
  const shown = useRef(search);
  useEffect(() => {
    if (shown.current === search) return;
    shown.current = search;
    box.current?.scrollTo({ top: 0 });
  }, [search]);
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <section ref={box} className="min-h-0 grow overflow-auto" tabIndex={0} aria-label={t("label")}>
      <table
        aria-rowcount={total + 1}
        aria-busy={isOld}
        style={{ width: WIDTH_PX }}
        className={cn(
          "min-w-full table-fixed border-separate border-spacing-0 text-sm",
          isOld && "opacity-70",
        )}
      >
        <colgroup>
          <col style={{ width: PICK_PX }} />
          {Object.entries(columnLooks).map(([id, { width }]) => (
            <col key={id} style={{ width }} />
          ))}
          <col style={{ width: RENT_PX }} />
        </colgroup>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} aria-rowindex={1}>
              <th className="sticky top-0 left-0 z-20 border-y bg-surface">
                <span className="sr-only">{t("pick")}</span>
              </th>
              {group.headers.map(({ column }) => (
                <SortHeader
                  key={column.id}
                  id={column.id}
                  look={lookOf(column.id)}
                  sort={search.sort_by}
                  onSort={(sort) => change({ sort: sort === "price_asc" ? null : sort })}
                />
              ))}
              <th className="sticky top-0 right-0 z-20 border-y border-l bg-surface">
                <span className="sr-only">{t("rent")}</span>
              </th>
            </tr>
          ))}
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} />}
          {items.map(({ index }) => {
            const row = rows[placeOf(index)];
            if (!row) return <WaitingRow key={index} index={index} columns={columns.length + 2} />;
            return (
              <OfferRow
                key={row.id}
                row={row}
                index={index}
                words={words}
                isPicked={picked.includes(row.id)}
                canPick={picked.length < 4 || picked.includes(row.id)}
                onPick={onPick}
                onOpen={onOpen}
              />
            );
          })}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
    </section>
  );
}

/** Stands for the rows that are out of sight. */
function Gap({ height }: { height: number }) {
  return (
    <tr>
      <td style={{ height }} className="p-0" />
    </tr>
  );
}
