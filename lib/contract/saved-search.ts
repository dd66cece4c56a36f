import { z } from "zod";
import { pagingParameters, reference, required, text, timestamp } from "./common";
import { searchBody, searchFilters } from "./offer";
import { currencies, offerSorts } from "./words";

/** A search that somebody keeps; `search` is a body of the search as it stands. */
export const savedSearch = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    search: z
      .strictObject({ currency: z.enum(currencies), query: searchFilters, sort_by: z.enum(offerSorts) })
      .meta({ id: "SavedSearchBody" }),
    created_at: timestamp,
  })
  .meta({ id: "SavedSearch" });

export const savedSearchParams = z.object({ search_id: reference() });

export const listSavedSearchesQuery = z.object(pagingParameters);

const { currency, query, sort_by } = searchBody.shape;

export const createSavedSearchBody = z
  .object({
    name: text({ min: 1, max: 100 }).meta({ description: "One's own searches have different names." }),
    search: z.object({ currency, query, sort_by }, required).meta({ id: "SearchToSave" }),
  })
  .meta({ id: "CreateSavedSearchBody" });
