"use client";

import dynamic from "next/dynamic";
import { parseAsArrayOf, parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import type { Currency } from "@/lib/contract/words";
import { CompareBar } from "./compare-bar";

const CompareDialog = dynamic(() => import("./compare-dialog").then((file) => file.CompareDialog), {
  ssr: false,
});

const RentSheet = dynamic(() => import("@/components/rent/rent-sheet").then((file) => file.RentSheet), {
  ssr: false,
});

const MOST_COMPARED = 4;

/** Which offers are chosen, compared or rented; the last two are in the address. */
export function useChosenOffers() {
  const [rented, setRented] = useQueryState("rent", parseAsString.withOptions({ history: "push" }));
  const [compared, setCompared] = useQueryState(
    "compare",
    parseAsArrayOf(parseAsString).withOptions({ history: "push" }),
  );
  const [picked, setPicked] = useState<readonly string[]>(compared?.slice(0, MOST_COMPARED) ?? []);
  return { rented, setRented, compared, setCompared, picked, setPicked };
}

interface MarketDialogsProps {
  chosen: ReturnType<typeof useChosenOffers>;
  currency: Currency;
}

/** What lies over the market: the comparison, the bar that leads to it, and the sheet that rents. */
export function MarketDialogs({ chosen, currency }: MarketDialogsProps) {
  const { rented, setRented, compared, setCompared, picked, setPicked } = chosen;
  const rent = async (offerId: string) => {
    await setCompared(null, { history: "replace" });
    await setRented(offerId);
  };
  return (
    <>
      {picked.length > 0 && (
        <CompareBar
          picked={picked}
          onOpen={() => void setCompared([...picked])}
          onClear={() => setPicked([])}
        />
      )}
      {compared && compared.length > 0 && (
        <CompareDialog
          offerIds={compared}
          currency={currency}
          onRent={(offerId) => void rent(offerId)}
          onClose={() => void setCompared(null)}
        />
      )}
      {rented && <RentSheet key={rented} offerId={rented} onClose={() => void setRented(null)} />}
    </>
  );
}
