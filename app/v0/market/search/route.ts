import { getShownRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { answerSearch } from "@/lib/market/answer-search";

export const POST = route(operations.searchMarket, async ({ body }) => {
  const { query: filters, sort_by: sort, start, limit, currency } = body;
  return answerSearch({ filters, sort, start, limit, rate: await getShownRate(currency) });
});
