"use client";

import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "@/lib/client/call-operation";
import { searchMarketQuery } from "@/lib/client/market-queries";
import { OfferTable } from "./offer-table";

const ROWS = 8;

/** The cheapest offers that can be rented now, for someone who is signed in. */
export function CheapestOffers() {
  const [client] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={client}>
      <section aria-labelledby="cheapest" className="pb-20">
        <h2 id="cheapest" className="text-2xl font-semibold tracking-tight">
          Cheapest now
        </h2>
        <Offers />
      </section>
    </QueryClientProvider>
  );
}

function Offers() {
  const { data, error, isPending, refetch } = useQuery(
    searchMarketQuery({ query: { rentable: true }, sort_by: "price_asc", limit: ROWS }),
  );
  if (isPending) {
    return (
      <div
        role="status"
        aria-label="Loading offers"
        className="mt-6 h-96 animate-pulse rounded-xl bg-slate-200 dark:bg-slate-800"
      />
    );
  }
  if (error instanceof ApiError && error.status === 401) {
    return (
      <p className="mt-4 text-slate-600 dark:text-slate-300">
        <a href="/sign-in" className="font-medium text-sky-700 underline dark:text-sky-400">
          Sign in
        </a>{" "}
        to see the market, or open the one-time link that the server printed when it started.
      </p>
    );
  }
  if (error) {
    return (
      <p role="alert" className="mt-4">
        The offers could not be loaded: {error.message}{" "}
        <button type="button" onClick={() => refetch()} className="underline">
          Try again
        </button>
      </p>
    );
  }
  if (data.data.length === 0) {
    return <p className="mt-4">Nothing can be rented now. Import a catalogue or add a host.</p>;
  }
  return <OfferTable offers={data.data} total={data.total_items} />;
}
