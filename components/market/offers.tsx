"use client";

import { useSyncExternalStore } from "react";
import { OfferCards } from "./offer-cards";
import { OfferTable } from "./offer-table";
import type { useMarket } from "./use-market";
import type { useFirstOffers } from "./use-offer-pages";

export interface OfferListProps {
  market: ReturnType<typeof useMarket>;
  first: NonNullable<ReturnType<typeof useFirstOffers>["data"]>;
  /** It is of an earlier search, whose successor is on its way. */
  isOld: boolean;
  /** Offers that are chosen to be compared. */
  picked: readonly string[];
  onPick: (offerId: string) => void;
  onOpen: (offerId: string) => void;
}

const WIDE = "(min-width: 64rem)";

function subscribe(changed: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}

/** A table, or cards where there is no room for one. The server sends both, as it does not know; only one is ever seen. */
export function Offers(props: OfferListProps) {
  const wide = useSyncExternalStore<boolean | null>(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => null,
  );
  return (
    <>
      {wide !== false && (
        <div className="hidden min-h-0 grow flex-col lg:flex">
          <OfferTable {...props} />
        </div>
      )}
      {wide !== true && (
        <div className="lg:hidden">
          <OfferCards {...props} />
        </div>
      )}
    </>
  );
}
