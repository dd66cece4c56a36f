import { type OfferWords, pricesOf } from "./offer-words";
import type { Offer } from "./use-offer-pages";

export interface ComparedFact {
  /** Of `market.compare.facts`. */
  key: (typeof factKeys)[number];
  values: string[];
  differs: boolean;
  /** Which of them are the best; none where all are alike or nothing is better. */
  best: boolean[];
}

const factKeys = [
  "availability",
  "kind",
  "hour",
  "gpuHour",
  "month",
  "diskPrice",
  "amount",
  "vram",
  "memorySpeed",
  "tflops",
  "cuda",
  "cpu",
  "vcpu",
  "cores",
  "clock",
  "ram",
  "disk",
  "netIn",
  "netOut",
  "place",
  "provider",
  "score",
] as const;

interface Fact {
  write: (offer: Offer) => string;
  /** What is compared, and whether less or more of it is better. */
  measure?: (offer: Offer) => number | null;
  better?: "less" | "more";
}

/** What there is to know of offers, side by side. */
export function compareFacts(
  offers: readonly Offer[],
  words: OfferWords,
  say: (key: "canRent" | "real") => string,
): ComparedFact[] {
  const facts = factsOf(words, say);
  return factKeys.map((key) => {
    const { write, measure, better } = facts[key];
    const values = offers.map(write);
    const differs = new Set(values).size > 1;
    const measures = offers.map((offer) => measure?.(offer) ?? null);
    const known = measures.filter((value) => value !== null);
    const top = better === "less" ? Math.min(...known) : Math.max(...known);
    const best = measures.map((value) => differs && better !== undefined && value !== null && value === top);
    return { key, values, differs, best };
  });
}

function factsOf(
  words: OfferWords,
  say: (key: "canRent" | "real") => string,
): Record<(typeof factKeys)[number], Fact> {
  const more = (measure: (offer: Offer) => number | null, write = words.number): Fact => ({
    write: (offer) => write(measure(offer)),
    measure,
    better: "more",
  });
  const price = (part: "hour" | "gpuHour" | "month" | "disk", kind: "price" | "sum" = "price"): Fact => ({
    write: (offer) => words.price(pricesOf(offer)[part], offer, kind),
    measure: (offer) => pricesOf(offer)[part],
    better: "less",
  });
  const plain = (write: (offer: Offer) => string | null): Fact => ({ write: (offer) => write(offer) ?? "–" });
  return {
    availability: plain((offer) =>
      offer.rentable ? say("canRent") : words.t(offer.in_stock ? "notRentable" : "outOfStock"),
    ),
    kind: plain((offer) =>
      [
        offer.simulated ? words.t("simulated") : say("real"),
        offer.is_third_party && words.t("thirdParty"),
        !offer.host_verified && !offer.simulated && words.t("unverified"),
      ]
        .filter(Boolean)
        .join(", "),
    ),
    hour: price("hour"),
    gpuHour: price("gpuHour"),
    month: price("month", "sum"),
    diskPrice: price("disk"),
    amount: more(({ gpu_amount }) => gpu_amount),
    vram: more(({ vram }) => vram, words.size),
    memorySpeed: more(({ configuration }) => configuration.memory_speed),
    tflops: more(({ configuration }) => configuration.capacity),
    cuda: more(({ configuration }) => configuration.max_cuda_version),
    cpu: plain(({ configuration }) => configuration.cpu_name),
    vcpu: more(({ configuration }) => configuration.vcpu),
    cores: more(({ configuration }) => configuration.cpu_cores),
    clock: more(({ configuration }) => configuration.cpu_freq),
    ram: more(({ configuration }) => configuration.ram.amount, words.size),
    disk: more(({ configuration }) => configuration.disk.amount, words.size),
    netIn: more(({ configuration }) => configuration.ethernet_in),
    netOut: more(({ configuration }) => configuration.ethernet_out),
    place: plain(words.placeOf),
    provider: plain(({ provider_translit_name }) => provider_translit_name),
    score: more(({ score }) => score),
  };
}
