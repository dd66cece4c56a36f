"use client";

import { flexRender, type Row } from "@tanstack/react-table";
import { memo } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/states";
import { lookOf, type offerFeatures } from "./offer-columns";
import type { OfferWords } from "./offer-words";
import type { Offer } from "./use-offer-pages";

interface OfferRowProps {
  row: Row<typeof offerFeatures, Offer>;
  /** From 0, in the whole result. */
  index: number;
  words: OfferWords;
  isPicked: boolean;
  canPick: boolean;
  onPick: (offerId: string) => void;
  onOpen: (offerId: string) => void;
}

const cell = "border-b bg-surface group-hover:bg-muted group-focus-within:bg-muted";
const pinned = `sticky z-[5] ${cell}`;

/** One offer; a click anywhere on it, or Enter, opens it. */
export const OfferRow = memo(function OfferRow(props: OfferRowProps) {
  const { row, index, words, isPicked, canPick, onPick, onOpen } = props;
  const offer = row.original;
  const name = words.nameOf(offer);
  return (
    <tr
      data-row=""
      tabIndex={-1}
      aria-rowindex={index + 2}
      className="group h-13 cursor-pointer -outline-offset-2"
      onClick={(event) => {
        if (!(event.target instanceof Element) || event.target.closest("a, button, input, label")) return;
        onOpen(offer.id);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target === event.currentTarget) onOpen(offer.id);
      }}
    >
      <td className={cn("left-0 p-0 text-center", pinned)}>
        <label className="inline-flex size-9 items-center justify-center">
          <input
            type="checkbox"
            aria-label={words.t("pickNamed", { name })}
            className="size-4 accent-(--primary)"
            checked={isPicked}
            disabled={!canPick}
            onChange={() => onPick(offer.id)}
          />
        </label>
      </td>
      {row.getAllCells().map((each) => (
        <td
          key={each.id}
          className={cn(
            cell,
            "overflow-hidden whitespace-nowrap px-2 py-0",
            lookOf(each.column.id).numeric && "text-right tabular-nums",
            each.column.id === "gpu" && "sticky left-10 z-[5]",
          )}
        >
          {flexRender(each.column.columnDef.cell, each.getContext())}
        </td>
      ))}
      <td className={cn("right-0 border-l px-2 text-right", pinned)}>
        <Button
          size="sm"
          variant={offer.rentable ? "primary" : "outline"}
          aria-label={words.t(offer.rentable ? "rentNamed" : "lookNamed", { name })}
          onClick={() => onOpen(offer.id)}
        >
          {words.t(offer.rentable ? "rent" : "look")}
        </Button>
      </td>
    </tr>
  );
});

/** A row whose page is on its way. */
export function WaitingRow({ index, columns }: { index: number; columns: number }) {
  return (
    <tr aria-rowindex={index + 2} className="h-13">
      <td colSpan={columns} className="border-b px-3">
        <Skeleton className="h-6" />
      </td>
    </tr>
  );
}
