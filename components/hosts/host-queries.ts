import type { AnswerOf, Call } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import type { Currency } from "@/lib/contract/words";

export type Host = AnswerOf<"listHosts">["data"][number];
export type Overview = AnswerOf<"getHostOverview">["data"];

/** All of one's hosts at once: the contract's most. */
export function hostsCall(currency: Currency): Call<"listHosts"> {
  return { query: { currency, limit: 1000 } };
}

/** @param price to compare with others' prices; null: the host's own */
export function overviewCall(
  hostId: string,
  currency: Currency,
  price: number | null,
): Call<"getHostOverview"> {
  return { params: { host_id: hostId }, query: { currency, ...(price === null ? {} : { price }) } };
}

const HOSTS_EVERY_MS = 5_000;
const OVERVIEW_EVERY_MS = 20_000;

/** Asked again and again: a machine that goes silent makes no event. */
export function hostsQuery(currency: Currency) {
  return { ...operationQuery("listHosts", hostsCall(currency)), refetchInterval: HOSTS_EVERY_MS };
}

export function overviewQuery(hostId: string, currency: Currency, price: number | null = null) {
  return {
    ...operationQuery("getHostOverview", overviewCall(hostId, currency, price)),
    refetchInterval: OVERVIEW_EVERY_MS,
  };
}

/** Whether nothing real stands behind it. */
export function isSimulated(host: Host): boolean {
  return host.offer.extra.simulated === true;
}
