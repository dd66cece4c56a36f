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
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded px-1 py-2 sm:grid-cols-[minmax(0,1fr)_auto_8rem] text-sm -outline-offset-2 hover:bg-muted"
            >
              <span>
                <span className="font-medium">{words.nameOf(offer)}</span>
                <span className="block text-subtle">{words.placeOf(offer)}</span>
              </span>
              <span className="order-last col-span-2 flex flex-wrap gap-1 sm:order-none sm:col-span-1">
                <OfferMarks offer={offer} words={words} />
              </span>
              <span className="text-right tabular-nums">
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
