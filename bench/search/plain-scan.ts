import type { SearchFilters } from "../../lib/contract/offer";
import { largestUsdMicroBelow, type Rate, smallestUsdMicroAbove } from "../../lib/kernel/money";
import type { OfferFacts } from "../../lib/market/index/offer-facts";
import type { IndexSearch } from "../../lib/market/index/offer-index";
import type { Engine, Found } from "./engine";
import { findProviderId } from "./offers";

const numbers = {
  price: ({ priceMicro }) => priceMicro,
  score: ({ score }) => score,
  vram: ({ vram }) => vram,
  ram: ({ ram }) => ram,
  disk: ({ disk }) => disk,
  vcpu: ({ vcpu }) => vcpu,
  cpu_cores: ({ cpuCores }) => cpuCores,
  cpu_freq: ({ cpuFreq }) => cpuFreq,
  memory_speed: ({ memorySpeed }) => memorySpeed,
  ethernet_in: ({ ethernetIn }) => ethernetIn,
  ethernet_out: ({ ethernetOut }) => ethernetOut,
  capacity: ({ capacity }) => capacity,
  gpu_amount: ({ gpuAmount }) => gpuAmount,
  price_per_gpu: ({ priceMicro, gpuAmount }) => priceMicro && priceMicro / gpuAmount,
  in_stock: ({ inStock }) => Number(inStock),
  rentable: ({ rentable }) => Number(rentable),
} satisfies Record<string, (offer: OfferFacts) => number | null>;

const words = {
  provider: ({ providerId }) => providerId,
  gpu_translit_name: ({ gpu }) => gpu,
  cpu_name: ({ cpuName }) => cpuName,
  city: ({ city }) => city,
  country: ({ country }) => country,
  region: ({ region }) => region,
} satisfies Record<string, (offer: OfferFacts) => string | null>;

/** A column of words in lower case, as numbers of its list of words; 0: unknown. */
interface Words {
  codes: Uint16Array;
  list: string[];
}

/** Keeps the rows that meet a filter, of the first `count` of `rows`, and says how many they are. No branch: the machine cannot guess it. */
type Sieve = (rows: Uint32Array, count: number) => number;

/** Every fact in a typed array, and for each filter one loop over the rows that are left: what any index has to beat. */
class PlainScan {
  readonly #ids: string[];
  /** Where each row's id stands among all ids. */
  readonly #places: Uint32Array;
  readonly #numbers = new Map<string, Float64Array>();
  readonly #words = new Map<string, Words>();
  readonly #rows: Uint32Array;

  constructor(offers: readonly OfferFacts[]) {
    this.#ids = offers.map(({ id }) => id);
    this.#places = placesOf(this.#ids);
    this.#rows = new Uint32Array(offers.length);
    for (const [name, of] of Object.entries(numbers))
      this.#numbers.set(
        name,
        Float64Array.from(offers, (offer) => of(offer) ?? Number.NaN),
      );
    for (const [name, of] of Object.entries(words)) this.#words.set(name, makeWords(offers.map(of)));
  }

  search({ filters, sort, start, limit, rate }: IndexSearch): Found {
    const rows = this.#rows;
    let total = rows.length;
    for (let row = 0; row < total; row += 1) rows[row] = row;
    for (const sieve of this.#sievesOf(filters, rate)) total = sieve(rows, total);
    const top = this.#first(rows.subarray(0, total), start + limit, sort);
    return { ids: Array.from(top.subarray(start), (row) => this.#ids[row] as string), total };
  }

  /** The first rows in order: by the column, what is unknown last, then by id. */
  #first(found: Uint32Array, most: number, sort: string): Uint32Array {
    const values = this.#column(sort.slice(0, sort.lastIndexOf("_")));
    const sign = sort.endsWith("_desc") ? -1 : 1;
    const places = this.#places;
    const top = new Uint32Array(most);
    const keys = new Float64Array(most).fill(Number.POSITIVE_INFINITY);
    let count = 0;
    for (let i = 0; i < found.length; i += 1) {
      const row = found[i] as number;
      const value = values[row] as number;
      const key = Number.isNaN(value) ? Number.MAX_VALUE : sign * value;
      const place = places[row] as number;
      let at = count;
      while (at > 0) {
        const [other, otherKey] = [top[at - 1] as number, keys[at - 1] as number];
        if (key > otherKey || (key === otherKey && place > (places[other] as number))) break;
        at -= 1;
      }
      if (at === most) continue;
      top.copyWithin(at + 1, at, most - 1);
      keys.copyWithin(at + 1, at, most - 1);
      top[at] = row;
      keys[at] = key;
      count = Math.min(most, count + 1);
    }
    return top.subarray(0, count);
  }

  #sievesOf(filters: SearchFilters, rate: Rate): Sieve[] {
    return Object.entries(filters).map(([name, wish]) => {
      if (name === "location") {
        const places = (wish as string[]).map((place) => place.toLowerCase());
        return this.#keepPlaces((word) => places.includes(word));
      }
      if (name === "gpu_translit_name")
        return this.#keepWords(name, (word) => (wish as string[]).includes(word));
      if (name === "provider") {
        const id = findProviderId(String(wish));
        return this.#keepWords(name, (word) => word === id);
      }
      if (name === "cpu_name")
        return this.#keepWords(name, (word) => word.includes(String(wish).toLowerCase()));
      if (name === "price_gt")
        return this.#keepFrom("price", Number(smallestUsdMicroAbove(Number(wish), rate)));
      if (name === "price_lt")
        return this.#keepUpTo("price", Number(largestUsdMicroBelow(Number(wish), rate)));
      const [, fact = name, side] = /^(\w+)_(gt|lt)$/.exec(name) ?? [];
      if (side === "gt") return this.#keepFrom(fact, nextAbove(Number(wish)));
      if (side === "lt") return this.#keepUpTo(fact, -nextAbove(-Number(wish)));
      return this.#keepEqual(fact, Number(wish));
    });
  }

  #keepFrom(name: string, least: number): Sieve {
    const column = this.#column(name);
    return (rows, count) => {
      let kept = 0;
      for (let i = 0; i < count; i += 1) {
        const row = rows[i] as number;
        rows[kept] = row;
        kept += Number((column[row] as number) >= least);
      }
      return kept;
    };
  }

  #keepUpTo(name: string, most: number): Sieve {
    const column = this.#column(name);
    return (rows, count) => {
      let kept = 0;
      for (let i = 0; i < count; i += 1) {
        const row = rows[i] as number;
        rows[kept] = row;
        kept += Number((column[row] as number) <= most);
      }
      return kept;
    };
  }

  #keepEqual(name: string, wanted: number): Sieve {
    const column = this.#column(name);
    return (rows, count) => {
      let kept = 0;
      for (let i = 0; i < count; i += 1) {
        const row = rows[i] as number;
        rows[kept] = row;
        kept += Number(column[row] === wanted);
      }
      return kept;
    };
  }

  #keepWords(name: string, isWanted: (word: string) => boolean): Sieve {
    const { codes, isIn } = this.#markWords(name, isWanted);
    return (rows, count) => {
      let kept = 0;
      for (let i = 0; i < count; i += 1) {
        const row = rows[i] as number;
        rows[kept] = row;
        kept += isIn[codes[row] as number] as number;
      }
      return kept;
    };
  }

  #keepPlaces(isWanted: (word: string) => boolean): Sieve {
    const city = this.#markWords("city", isWanted);
    const country = this.#markWords("country", isWanted);
    const region = this.#markWords("region", isWanted);
    return (rows, count) => {
      let kept = 0;
      for (let i = 0; i < count; i += 1) {
        const row = rows[i] as number;
        const inRegion = region.isIn[region.codes[row] as number] as number;
        const inCountry = country.isIn[country.codes[row] as number] as number;
        rows[kept] = row;
        kept += inRegion | inCountry | (city.isIn[city.codes[row] as number] as number);
      }
      return kept;
    };
  }

  /** Which words of a column are wanted. */
  #markWords(name: string, isWanted: (word: string) => boolean): { codes: Uint16Array; isIn: Uint8Array } {
    const { codes, list } = this.#words.get(name) ?? { codes: new Uint16Array(), list: [] };
    return { codes, isIn: Uint8Array.from(list, (word, code) => Number(code > 0 && isWanted(word))) };
  }

  #column(name: string): Float64Array {
    const column = this.#numbers.get(name);
    if (!column) throw new Error(`no column ${name}`);
    return column;
  }
}

function makeWords(given: readonly (string | null)[]): Words {
  const known = new Map<string | null, number>([[null, 0]]);
  const codes = Uint16Array.from(given, (word) => {
    const lower = word?.toLowerCase() ?? null;
    const code = known.get(lower) ?? known.size;
    known.set(lower, code);
    return code;
  });
  return { codes, list: [...known.keys()].map((word) => word ?? "") };
}

function placesOf(ids: readonly string[]): Uint32Array {
  const places = new Uint32Array(ids.length);
  const sorted = ids.map((id, row) => ({ id, row })).sort((a, b) => (a.id < b.id ? -1 : 1));
  sorted.forEach(({ row }, place) => {
    places[row] = place;
  });
  return places;
}

/** The smallest number above another: then "greater" is "at least". */
function nextAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

export function openEngine(offers: Iterable<OfferFacts>): Engine {
  const scan = new PlainScan([...offers]);
  return { name: "a plain scan of typed arrays", searches: { "": (body) => scan.search(body) } };
}
