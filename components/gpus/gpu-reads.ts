import type { Call } from "@/lib/client/call-operation";
import type { Currency, Locale } from "@/lib/contract/words";

/** What a GPU's page asks for, on the server and in the browser. */
export const gpuCall = (name: string, locale: Locale, currency: Currency): Call<"getGpu"> => ({
  params: { gpu_translit_name: name },
  query: { locale, currency },
});

export const gpuOffersCall = (name: string, currency: Currency): Call<"searchMarket"> => ({
  body: { currency, query: { gpu_translit_name: [name] }, sort_by: "price_per_gpu_asc", limit: 8 },
});

export const gpuPricesCall = (name: string, currency: Currency): Call<"listGpuPrices"> => ({
  params: { gpu_translit_name: name },
  query: { days: 30, currency },
});

export const gpusCall = (currency: Currency): Call<"listGpus"> => ({ query: { currency } });

export const providerCall = (name: string): Call<"getProvider"> => ({
  params: { provider_translit_name: name },
});

export const providerOffersCall = (name: string, currency: Currency): Call<"searchMarket"> => ({
  body: { currency, query: { provider: name }, sort_by: "price_asc", limit: 12 },
});
