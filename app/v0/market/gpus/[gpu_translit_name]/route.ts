import { getRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { getGpu } from "@/lib/market/get-gpu";

export const GET = route(operations.getGpu, async ({ params, query }) => ({
  data: await getGpu(params.gpu_translit_name, await getRate(query.currency), query.locale),
}));
