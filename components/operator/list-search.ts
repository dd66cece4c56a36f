import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { hostStatuses, instanceStatuses } from "@/lib/contract/words";

const ROWS = 25;

/** What the address of a list says. `page` counts from one. */
export interface ListSearch {
  search: string;
  page: number;
}

export const listParsers = {
  search: parseAsString.withDefault(""),
  page: parseAsInteger.withDefault(1),
};

export const hostListParsers = { ...listParsers, status: parseAsStringLiteral(hostStatuses) };
export const instanceListParsers = { ...listParsers, status: parseAsStringLiteral(instanceStatuses) };

export function toPage(page: number) {
  return { start: (Math.max(page, 1) - 1) * ROWS, limit: ROWS };
}

/** The same as the query of a list, for the server's first read and for the browser's. */
export function toListQuery<Extra extends object>({ search, page, ...rest }: ListSearch & Extra) {
  return { ...rest, search: search.trim() || undefined, ...toPage(page) };
}

export function pagesOf(total: number): number {
  return Math.max(Math.ceil(total / ROWS), 1);
}
