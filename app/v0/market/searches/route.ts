import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { createSavedSearch } from "@/lib/market/create-saved-search";
import { listSavedSearches } from "@/lib/market/list-saved-searches";
import { presentSavedSearch } from "@/lib/market/presenter";

export const GET = route(operations.listSavedSearches, async ({ ctx, query }) => {
  const { items, total } = await listSavedSearches(ctx, query);
  return { data: items.map(presentSavedSearch), total_items: total };
});

export const POST = route(operations.createSavedSearch, async ({ ctx, body }) => ({
  data: presentSavedSearch(await createSavedSearch(ctx, body)),
}));
