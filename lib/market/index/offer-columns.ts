import type { RangeName } from "../../contract/words";
import { type Bits, clearBit, growBits, setBit } from "./bits";
import type { OfferFacts } from "./offer-facts";
import { RangeColumn } from "./range-column";
import { WordColumn } from "./word-column";

const rangeFacts = {
  price: "priceMicro",
  score: "score",
  vram: "vram",
  ram: "ram",
  disk: "disk",
  vcpu: "vcpu",
  cpu_cores: "cpuCores",
  cpu_freq: "cpuFreq",
  memory_speed: "memorySpeed",
  ethernet_in: "ethernetIn",
  ethernet_out: "ethernetOut",
  capacity: "capacity",
} as const satisfies Record<RangeName, keyof OfferFacts>;
export const rangeNames = Object.keys(rangeFacts) as RangeName[];

export type SortField = RangeName | "gpu_amount" | "price_per_gpu";

/** Every fact that a search names, a column each. */
export class OfferColumns {
  readonly #ranges: ReadonlyMap<SortField, RangeColumn>;
  readonly gpus: WordColumn;
  readonly providers: WordColumn;
  readonly cities: WordColumn;
  readonly countries: WordColumn;
  readonly regions: WordColumn;
  readonly cpus: WordColumn;
  /** The rows that are on the market. */
  live: Bits;
  inStock: Bits;
  rentable: Bits;

  constructor(capacity: number) {
    const fields: SortField[] = [...rangeNames, "gpu_amount", "price_per_gpu"];
    // Most searches are sorted by price: of its bins the first is all that they look into.
    const bins = (name: SortField) => (name === "price" ? 128 : 48);
    this.#ranges = new Map(fields.map((name) => [name, new RangeColumn(capacity, bins(name))]));
    this.gpus = new WordColumn(capacity, 128);
    this.providers = new WordColumn(capacity, 64);
    this.cities = new WordColumn(capacity, 128);
    this.countries = new WordColumn(capacity, 64);
    this.regions = new WordColumn(capacity, 16);
    this.cpus = new WordColumn(capacity, 64);
    this.live = new Int32Array(capacity >>> 5);
    this.inStock = new Int32Array(capacity >>> 5);
    this.rentable = new Int32Array(capacity >>> 5);
  }

  range(name: SortField): RangeColumn {
    return this.#ranges.get(name) as RangeColumn;
  }

  write(row: number, offer: OfferFacts): void {
    for (const name of rangeNames) this.range(name).set(row, offer[rangeFacts[name]] ?? Number.NaN);
    const { priceMicro, gpuAmount } = offer;
    this.range("gpu_amount").set(row, gpuAmount);
    this.range("price_per_gpu").set(
      row,
      priceMicro === null ? Number.NaN : priceMicro / Math.max(1, gpuAmount),
    );
    this.gpus.set(row, offer.gpu);
    this.providers.set(row, offer.providerId);
    this.cities.set(row, offer.city === null ? null : joinCity(offer.city, offer.country));
    this.countries.set(row, offer.country);
    this.regions.set(row, offer.region);
    this.cpus.set(row, offer.cpuName);
    for (const [bits, is] of [
      [this.inStock, offer.inStock],
      [this.rentable, offer.rentable],
      [this.live, true],
    ] as const) {
      if (is) setBit(bits, row);
      else clearBit(bits, row);
    }
  }

  clear(row: number): void {
    for (const column of this.#ranges.values()) column.set(row, Number.NaN);
    for (const column of this.#words) column.set(row, null);
    for (const bits of [this.inStock, this.rentable, this.live]) clearBit(bits, row);
  }

  grow(capacity: number): void {
    for (const column of [...this.#ranges.values(), ...this.#words]) column.grow(capacity);
    this.live = growBits(this.live, capacity >>> 5);
    this.inStock = growBits(this.inStock, capacity >>> 5);
    this.rentable = growBits(this.rentable, capacity >>> 5);
  }

  /** Cuts one column after the other anew for the values of these rows; between two of them others can search. */
  *rebin(rows: Uint32Array): Generator<void> {
    for (const column of this.#words) {
      column.reorder();
      yield;
    }
    for (const column of this.#ranges.values()) {
      column.rebin(rows);
      yield;
    }
  }

  get #words(): WordColumn[] {
    return [this.gpus, this.providers, this.cities, this.countries, this.regions, this.cpus];
  }
}

/** Two cities of one name in two countries are two words. No text of the database has a zero byte. */
function joinCity(city: string, country: string | null): string {
  return country === null ? city : `${city}\u0000${country}`;
}

export function splitCity(word: string): [city: string, country: string | null] {
  const [city = "", country = null] = word.split("\u0000");
  return [city, country];
}
