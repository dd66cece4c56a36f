import { create, insert, search } from "@orama/orama";
import { largestUsdMicroBelow, smallestUsdMicroAbove } from "../../lib/kernel/money.ts";
import { showCount } from "../table.ts";
import { TooManyOffers } from "./engine.ts";
import { cpuNames, findProviderId } from "./offers.ts";

const MOST_MS = 60_000;
const MOST_BYTES = 4 * 1024 ** 3;
/** After so many offers the bounds are looked at. */
const LOOK_EVERY = 1_000;

/** Names are those of the filters. */
const schema = {
  provider: "enum",
  gpu: "enum",
  cpu_name: "enum",
  city: "enum",
  country: "enum",
  region: "enum",
  price: "number",
  gpu_amount: "number",
  score: "number",
  vram: "number",
  ram: "number",
  disk: "number",
  vcpu: "number",
  cpu_cores: "number",
  cpu_freq: "number",
  memory_speed: "number",
  ethernet_in: "number",
  ethernet_out: "number",
  capacity: "number",
  in_stock: "boolean",
  rentable: "boolean",
};

/**
 * Orama in this process. Its own order by a property leaves equal ones in any order, so a comparison says which comes first.
 * @type {import("./engine").EngineModule["openEngine"]}
 */
export function openEngine(offers) {
  const database = create({ schema, sort: { enabled: false } });
  const deadline = performance.now() + MOST_MS;
  let held = 0;
  for (const offer of offers) {
    insert(database, toDocument(offer));
    held += 1;
    if (held % LOOK_EVERY !== 0) continue;
    if (performance.now() > deadline)
      throw new TooManyOffers(`had taken ${showCount(held)} of them after ${MOST_MS / 1000} s`);
    if (process.memoryUsage.rss() > MOST_BYTES)
      throw new TooManyOffers(`had taken ${showCount(held)} of them when it filled 4 GB`);
  }
  return {
    name: "Orama, in process",
    searches: {
      "": ({ filters, sort, start, limit, rate }) => {
        const where = { and: Object.entries(filters).map(([name, wish]) => toCondition(name, wish, rate)) };
        const { hits, count } = search(database, { where, limit, offset: start, sortBy: comparison(sort) });
        return { ids: hits.map(({ id }) => id), total: count };
      },
    },
  };
}

function toDocument(offer) {
  const { id, gpu, score, vram, ram, disk, vcpu, capacity, rentable } = offer;
  const facts = {
    ...{ id, gpu, score, vram, ram, disk, vcpu, capacity, rentable },
    provider: offer.providerId,
    cpu_name: offer.cpuName,
    city: offer.city?.toLowerCase(),
    country: offer.country?.toLowerCase(),
    region: offer.region?.toLowerCase(),
    price: offer.priceMicro,
    price_per_gpu: offer.priceMicro && offer.priceMicro / offer.gpuAmount,
    gpu_amount: offer.gpuAmount,
    cpu_cores: offer.cpuCores,
    cpu_freq: offer.cpuFreq,
    memory_speed: offer.memorySpeed,
    ethernet_in: offer.ethernetIn,
    ethernet_out: offer.ethernetOut,
    in_stock: offer.inStock,
  };
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== null && value !== undefined),
  );
}

function toCondition(name, wish, rate) {
  const [, fact, side] = /^(\w+)_(gt|lt)$/.exec(name) ?? [];
  switch (name) {
    case "location": {
      const places = wish.map((place) => place.toLowerCase());
      return { or: ["city", "country", "region"].map((column) => ({ [column]: { in: places } })) };
    }
    case "gpu_translit_name":
      return { gpu: { in: wish } };
    case "provider":
      return { provider: { eq: findProviderId(wish) } };
    case "cpu_name":
      return { cpu_name: { in: cpuNames.filter((cpu) => cpu.toLowerCase().includes(wish.toLowerCase())) } };
    case "price_gt":
      return { price: { gte: Number(smallestUsdMicroAbove(wish, rate)) } };
    case "price_lt":
      return { price: { lte: Number(largestUsdMicroBelow(wish, rate)) } };
    case "in_stock":
    case "rentable":
      return { [name]: wish };
    default:
      return fact ? { [fact]: { [side]: wish } } : { [name]: { eq: wish } };
  }
}

function comparison(sort) {
  const field = sort.slice(0, sort.lastIndexOf("_"));
  const sign = sort.endsWith("_desc") ? -1 : 1;
  return ([, , a], [, , b]) => {
    const [x, y] = [a[field], b[field]];
    if (x === y) return a.id < b.id ? -1 : 1;
    if (x === undefined) return 1;
    return y === undefined ? -1 : sign * (x - y);
  };
}
