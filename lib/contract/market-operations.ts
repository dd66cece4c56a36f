import { z } from "zod";
import { emptyEnvelope, envelope, listEnvelope } from "./common";
import { examples } from "./examples";
import { facetsBody, marketFacets, relaxation } from "./facets";
import { getGpuQuery, gpu, gpuParams, gpuPrice, gpuSummary, listGpuPricesQuery, listGpusQuery } from "./gpu";
import { marketOffer, marketOfferParams, marketOfferQuery, searchBody } from "./offer";
import { defineOperation } from "./operation";
import { listProvidersQuery, provider, providerParams } from "./provider";

const rangeExample = {
  min: 24,
  max: 24,
  unknown: 0,
  buckets: [{ from: 24, to: 24, count: 1 }],
};

const facetsExample = {
  total_items: 1,
  gpus: [
    {
      gpu_translit_name: "rtx-4090",
      gpu_name: "NVIDIA GeForce RTX 4090",
      vram: 24,
      count: 1,
      rentable_count: 1,
      best_price_per_gpu: 0.45,
    },
  ],
  providers: [
    { translit_name: "northlight-compute", name: "Northlight Compute", is_third_party: false, count: 1 },
  ],
  locations: {
    regions: [{ name: "Europe", count: 1 }],
    countries: [{ name: "Finland", count: 1 }],
    cities: [{ name: "Helsinki", country: "Finland", count: 1 }],
  },
  gpu_amounts: [{ value: 2, count: 1 }],
  in_stock: { yes: 1, no: 0 },
  rentable: { yes: 1, no: 3 },
  ranges: {
    price: { min: 0.9, max: 0.9, unknown: 0, buckets: [{ from: 0.9, to: 0.9, count: 1 }] },
    vram: rangeExample,
    ram: rangeExample,
    disk: rangeExample,
    vcpu: rangeExample,
    cpu_cores: rangeExample,
    cpu_freq: rangeExample,
    memory_speed: rangeExample,
    ethernet_in: rangeExample,
    ethernet_out: rangeExample,
    capacity: rangeExample,
    score: rangeExample,
  },
} satisfies z.output<typeof marketFacets>;

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
    sameBodies: true,
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

  countMarketFacets: defineOperation({
    id: "countMarketFacets",
    method: "POST",
    path: "/v0/market/facets",
    tag: "Market",
    summary: "Count the offers behind each value of each filter",
    description:
      "Each value is counted with the other filters on and its own filter off: what the search would find with that value " +
      "in its place. Names come with most offers first, numbers ascending.",
    scope: "market:read",
    body: facetsBody,
    sameBodies: true,
    emptyBody: true,
    response: envelope(marketFacets),
    errors: [],
    example: {
      request: { currency: "USD", query: { rentable: true } },
      response: { ok: true, data: facetsExample },
    },
  }),

  suggestRelaxation: defineOperation({
    id: "suggestRelaxation",
    method: "POST",
    path: "/v0/market/relax",
    tag: "Market",
    summary: "Say which one filter to drop for more offers",
    description:
      "Only filters that are set, the most offers first; both bounds of one fact count as one filter.",
    scope: "market:read",
    body: facetsBody,
    sameBodies: true,
    emptyBody: true,
    response: envelope(z.array(relaxation)),
    errors: [],
    example: {
      request: { query: { gpu_translit_name: ["rtx-4090"], price_lt: 0.1 } },
      response: {
        ok: true,
        data: [
          { filter: "price", total_items: 31 },
          { filter: "gpu_translit_name", total_items: 4 },
        ],
      },
    },
  }),

  getOffer: defineOperation({
    id: "getOffer",
    method: "GET",
    path: "/v0/market/offers/{offer_id}",
    tag: "Market",
    summary: "Return one offer",
    description:
      "Also one that is rented or silent for so long that the search leaves it out; not a withdrawn one.",
    scope: "market:read",
    params: marketOfferParams,
    query: marketOfferQuery,
    response: envelope(marketOffer),
    errors: ["not_found"],
    example: {
      params: { offer_id: examples.marketOffer.id },
      response: { ok: true, data: examples.marketOffer },
    },
  }),

  listGpus: defineOperation({
    id: "listGpus",
    method: "GET",
    path: "/v0/market/gpus",
    tag: "Market",
    summary: "List the GPUs of the catalogue, those with most live offers first",
    scope: "market:read",
    query: listGpusQuery,
    response: listEnvelope(gpuSummary),
    errors: [],
    example: {
      response: {
        ok: true,
        data: [
          {
            translit_name: "rtx-4090",
            name: "NVIDIA GeForce RTX 4090",
            vendor: "NVIDIA",
            architecture: "Ada Lovelace",
            segment: "consumer",
            vram: 24,
            memory_bandwidth: 1008,
            fp32: 82.6,
            launch_year: 2022,
            offers_count: 31,
            rentable_count: 18,
            best_price: 0.29,
            currency: "USD",
          },
        ],
        total_items: 1,
      },
    },
  }),

  listGpuPrices: defineOperation({
    id: "listGpuPrices",
    method: "GET",
    path: "/v0/market/gpus/{gpu_translit_name}/history",
    tag: "Market",
    summary: "Return what a GPU has cost on this market, the oldest first",
    description:
      "Recorded by this market once an hour, kept for 400 days. An hour in which none could be rented has no point. " +
      "Prices of all times are converted at the rate in force now.",
    scope: "market:read",
    params: gpuParams,
    query: listGpuPricesQuery,
    response: listEnvelope(gpuPrice),
    errors: ["not_found"],
    example: {
      params: { gpu_translit_name: "rtx-4090" },
      response: {
        ok: true,
        data: [{ at: "2026-03-02T00:00:00.000Z", low: 0.29, median: 0.41, offers_count: 18 }],
        total_items: 1,
      },
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
