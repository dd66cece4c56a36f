"use client";

import Link from "next/link";
import { OfferMarks } from "@/components/market/offer-marks";
import { pricesOf, useOfferWords } from "@/components/market/offer-words";
import type { AnswerOf } from "@/lib/client/call-operation";

/** A few offers, a line each, that lead to the market. */
export function OfferLines({ offers }: { offers: AnswerOf<"searchMarket">["data"] }) {
  const words = useOfferWords();
  return (
    <ul className="divide-y">
      {offers.map((offer) => {
        const { hour, gpuHour } = pricesOf(offer);
        return (
          <li key={offer.id}>
            <Link
              href={`/market?rent=${encodeURIComponent(offer.id)}`}
              prefetch={false}
              data-row=""
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded px-1 py-2 text-sm -outline-offset-2 hover:bg-muted"
            >
              <span className="min-w-40 grow">
                <span className="font-medium">{words.nameOf(offer)}</span>
                <span className="block text-subtle">{words.placeOf(offer)}</span>
              </span>
              <span className="flex flex-wrap gap-1">
                <OfferMarks offer={offer} words={words} />
              </span>
              <span className="min-w-28 text-right tabular-nums">
                <span className="block font-semibold">{words.price(hour, offer)}</span>
                <span className="block text-xs text-subtle">
                  {words.t("perGpuHour", { price: words.price(gpuHour, offer) })}
                </span>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
