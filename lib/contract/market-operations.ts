import { emptyEnvelope, envelope, listEnvelope } from "./common";
import { examples } from "./examples";
import { getGpuQuery, gpu, gpuParams } from "./gpu";
import { marketOffer, searchBody } from "./offer";
import { defineOperation } from "./operation";
import { listProvidersQuery, provider, providerParams } from "./provider";

export const marketOperations = {
  ping: defineOperation({
    id: "ping",
    method: "GET",
    path: "/v0/ping",
    tag: "System",
    summary: "Check that the server is reachable and the API key is valid",
    scope: null,
    response: emptyEnvelope,
    errors: [],
    example: { response: { ok: true, data: null } },
  }),

  searchMarket: defineOperation({
    id: "searchMarket",
    method: "POST",
    path: "/v0/market/search",
    tag: "Market",
    summary: "Search GPU rental offers",
    description:
      "All filters hold together; `_gt` and `_lt` are strict; what an offer does not say never matches a bound. " +
      '`null`, `[]` and `""` mean that a filter is absent. Nothing is filtered that was not asked for.',
    scope: "market:read",
    body: searchBody,
    emptyBody: true,
    response: listEnvelope(marketOffer),
    errors: [],
    example: {
      request: {
        currency: "USD",
        query: { gpu_translit_name: ["rtx-4090"], rentable: true, price_lt: 1.5, ram_gt: 64 },
        sort_by: "price_asc",
        limit: 20,
      },
      response: { ok: true, data: [examples.marketOffer], total_items: 1 },
    },
  }),

  getGpu: defineOperation({
    id: "getGpu",
    method: "GET",
    path: "/v0/market/gpus/{gpu_translit_name}",
    tag: "Market",
    summary: "Return a GPU by its translit name",
    scope: "market:read",
    params: gpuParams,
    query: getGpuQuery,
    response: envelope(gpu),
    errors: ["not_found"],
    example: {
      params: { gpu_translit_name: "rtx-4090" },
      response: { ok: true, data: examples.gpu },
    },
  }),

  listProviders: defineOperation({
    id: "listProviders",
    method: "GET",
    path: "/v0/market/providers",
    tag: "Market",
    summary: "List the marketplace's providers",
    scope: "market:read",
    query: listProvidersQuery,
    response: listEnvelope(provider),
    errors: [],
    example: { response: { ok: true, data: [examples.provider], total_items: 1 } },
  }),

  getProvider: defineOperation({
    id: "getProvider",
    method: "GET",
    path: "/v0/market/providers/{provider_translit_name}",
    tag: "Market",
    summary: "Return one provider",
    scope: "market:read",
    params: providerParams,
    response: envelope(provider),
    errors: ["not_found"],
    example: {
      params: { provider_translit_name: "northlight-compute" },
      response: { ok: true, data: examples.provider },
    },
  }),
};
