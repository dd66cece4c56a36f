import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { deleteSavedSearch } from "@/lib/market/delete-saved-search";

export const DELETE = route(operations.deleteSavedSearch, async ({ ctx, params }) => {
  await deleteSavedSearch(ctx, params.search_id);
  return { data: null };
});
