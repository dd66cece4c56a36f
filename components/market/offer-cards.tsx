"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { useLayoutEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/states";
import { OfferMarks } from "./offer-marks";
import { type OfferWords, pricesOf, useOfferWords } from "./offer-words";
import type { OfferListProps } from "./offers";
import { type Offer, useOffersInSight } from "./use-offer-pages";

const CARD_PX = 208;
const GAP_PX = 12;

/** The offers of a search on a phone. */
export function OfferCards({ market, first, isOld, picked, onPick, onOpen }: OfferListProps) {
  const t = useTranslations("market.table");
  const words = useOfferWords();
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: first.total_items,
    estimateSize: () => CARD_PX,
    gap: GAP_PX,
    overscan: 4,
    scrollMargin: top,
    initialRect: { width: 390, height: 700 },
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const { offers, placeOf } = useOffersInSight(
    market.search,
    first,
    isOld,
    items.map(({ index }) => index),
  );
  return (
    <ul
      ref={list}
      aria-label={t("label")}
      aria-busy={isOld}
      className={cn("relative mx-3 mb-4", isOld && "opacity-70")}
      style={{ height: virtual.getTotalSize() }}
    >
      {items.map(({ index, start }) => {
        const offer = offers[placeOf(index)];
        return (
          <li
            key={offer?.id ?? index}
            className="absolute inset-x-0"
            style={{ height: CARD_PX, top: start - virtual.options.scrollMargin }}
          >
            {offer ? (
              <OfferCard
                offer={offer}
                words={words}
                isPicked={picked.includes(offer.id)}
                canPick={picked.length < 4 || picked.includes(offer.id)}
                onPick={onPick}
                onOpen={onOpen}
              />
            ) : (
              <Skeleton className="h-full rounded-xl" />
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface OfferCardProps {
  offer: Offer;
  words: OfferWords;
  isPicked: boolean;
  canPick: boolean;
  onPick: (offerId: string) => void;
  onOpen: (offerId: string) => void;
}

function OfferCard({ offer, words, isPicked, canPick, onPick, onOpen }: OfferCardProps) {
  const name = words.nameOf(offer);
  const { hour, gpuHour, month } = pricesOf(offer);
  const { ram, disk, cpu_name } = offer.configuration;
  const facts = [words.size(offer.vram), words.size(ram.amount), words.size(disk.amount), cpu_name];
  return (
    <article
      data-row=""
      tabIndex={-1}
      className="flex h-full flex-col gap-2 overflow-hidden rounded-xl border bg-surface p-3"
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target === event.currentTarget) onOpen(offer.id);
      }}
    >
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="truncate font-semibold">{name}</h2>
          <p className="truncate text-sm text-subtle">{words.placeOf(offer)}</p>
        </div>
        <p className="shrink-0 text-right tabular-nums">
          <span className="block font-semibold">{words.price(hour, offer)}</span>
          <span className="block text-xs text-subtle">
            {words.t("perGpuHour", { price: words.price(gpuHour, offer) })}
          </span>
        </p>
      </div>
      <p className="truncate text-sm">{facts.filter((fact) => fact && fact !== "–").join(" · ")}</p>
      <p className="truncate text-sm text-subtle">
        {words.t("perMonth", { price: words.price(month, offer, "sum") })} · {offer.provider_translit_name}
      </p>
      <p className="flex min-h-5 gap-1 overflow-hidden">
        <OfferMarks offer={offer} words={words} />
      </p>
      <div className="mt-auto flex items-center justify-between gap-2">
        <label className="flex min-h-8 items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="size-4.5 accent-(--primary)"
            checked={isPicked}
            disabled={!canPick}
            aria-label={words.t("pickNamed", { name })}
            onChange={() => onPick(offer.id)}
          />
          <span aria-hidden="true">{words.t("compare")}</span>
        </label>
        <Button
          size="sm"
          variant={offer.rentable ? "primary" : "outline"}
          aria-label={words.t(offer.rentable ? "rentNamed" : "lookNamed", { name })}
          onClick={() => onOpen(offer.id)}
        >
          {words.t(offer.rentable ? "rent" : "look")}
        </Button>
      </div>
    </article>
  );
}
