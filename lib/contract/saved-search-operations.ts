import type { z } from "zod";
import { emptyEnvelope, envelope, listEnvelope } from "./common";
import { defineOperation } from "./operation";
import {
  createSavedSearchBody,
  listSavedSearchesQuery,
  savedSearch,
  savedSearchParams,
} from "./saved-search";

const savedSearchExample = {
  id: "search_2pW6kRzX9mTd",
  name: "Two 4090s in Europe",
  search: {
    currency: "USD",
    query: { gpu_translit_name: ["rtx-4090"], gpu_amount: 2, location: ["Europe"] },
    sort_by: "price_asc",
  },
  created_at: "2026-03-02T09:15:00.000Z",
} satisfies z.output<typeof savedSearch>;

/** Searches of the market that one keeps. */
export const savedSearchOperations = {
  listSavedSearches: defineOperation({
    id: "listSavedSearches",
    method: "GET",
    path: "/v0/market/searches",
    tag: "Market",
    summary: "List one's saved searches, the newest first",
    scope: "market:read",
    query: listSavedSearchesQuery,
    response: listEnvelope(savedSearch),
    errors: [],
    example: { response: { ok: true, data: [savedSearchExample], total_items: 1 } },
  }),

  createSavedSearch: defineOperation({
    id: "createSavedSearch",
    method: "POST",
    path: "/v0/market/searches",
    tag: "Market",
    summary: "Keep a search under a name",
    description: "At most 100 an account.",
    scope: "market:write",
    body: createSavedSearchBody,
    response: envelope(savedSearch),
    errors: [],
    example: {
      request: { name: savedSearchExample.name, search: savedSearchExample.search },
      response: { ok: true, data: savedSearchExample },
    },
  }),

  deleteSavedSearch: defineOperation({
    id: "deleteSavedSearch",
    method: "DELETE",
    path: "/v0/market/searches/{search_id}",
    tag: "Market",
    summary: "Forget a saved search",
    scope: "market:write",
    params: savedSearchParams,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: { params: { search_id: savedSearchExample.id }, response: { ok: true, data: null } },
  }),
};
