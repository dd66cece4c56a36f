import { type AnswerOf, callOperation } from "@/lib/client/call-operation";
import type { Currency } from "@/lib/contract/words";
import type { Offer } from "./offer-summary";

type Filters = NonNullable<NonNullable<Parameters<typeof callOperation<"searchMarket">>[1]>["body"]>["query"];

/** How much less or more memory a GPU may have to be near. */
const NEAR = { least: 0.7, most: 1.7 };

/**
 * The offer to take instead, the cheapest that can be rented now: the same GPU as often, else one with the nearest
 * memory as often, else the same GPU in another number. Null where there is none.
 */
export async function findAlternative(offer: Offer, currency: Currency): Promise<Offer | null> {
  const { gpu_translit_name: gpu, gpu_amount, vram } = offer;
  const wishes: Filters[] = [
    ...(gpu ? [{ gpu_translit_name: [gpu], gpu_amount }] : []),
    ...(vram === null ? [] : [{ gpu_amount, vram_gt: vram * NEAR.least, vram_lt: vram * NEAR.most }]),
    ...(gpu ? [{ gpu_translit_name: [gpu] }] : []),
  ];
  for (const query of wishes) {
    const { data }: AnswerOf<"searchMarket"> = await callOperation("searchMarket", {
      body: { currency, query: { ...query, rentable: true }, sort_by: "price_asc", limit: 50 },
    });
    const away = (each: Offer) => Math.abs((each.vram ?? 0) - (vram ?? 0));
    const [nearest] = data.filter(({ id }) => id !== offer.id).sort((a, b) => away(a) - away(b));
    if (nearest) return nearest;
  }
  return null;
}
