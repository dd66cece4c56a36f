import {
  createLoader,
  createParser,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { type Currency, movementKinds, ownAccounts } from "../contract/words";

const parseAsDay = createParser({
  parse: (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null),
  serialize: (day: string) => day,
});

/** Which entries of the ledger a page shows, as its address says. */
export const entryParsers = {
  kind: parseAsStringLiteral(movementKinds),
  account: parseAsStringLiteral(ownAccounts),
  instance: parseAsString,
  from: parseAsDay,
  to: parseAsDay,
  page: parseAsInteger.withDefault(1),
};
export type EntryFilters = inferParserType<typeof entryParsers>;

export const loadEntryFilters = createLoader(entryParsers);

export const ENTRIES_A_PAGE = 50;

/** All entries that the filters leave. */
export function entriesCall({ kind, account, instance, from, to }: EntryFilters, currency: Currency) {
  return { query: { currency, kind, account, instance_id: instance, from, to } };
}

/** A page of them. */
export function entriesPage(filters: EntryFilters, currency: Currency) {
  const start = (Math.max(1, filters.page) - 1) * ENTRIES_A_PAGE;
  return { query: { ...entriesCall(filters, currency).query, start, limit: ENTRIES_A_PAGE } };
}
