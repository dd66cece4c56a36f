import { filterNames, type RangeName } from "../../contract/words";
import { type Bits, clearBit, setBit } from "./bits";
import type { OfferFacts } from "./offer-facts";
import { RangeColumn } from "./range-column";
import { RowSpace } from "./row-space";
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
const sortFields: SortField[] = [...rangeNames, "gpu_amount", "price_per_gpu"];

/** How many sets the words of each fact may take. */
const WORD_SETS = { gpus: 128, providers: 64, cities: 96, countries: 64, regions: 16, cpus: 64 };
const OTHER_SETS = 6 + filterNames.length;

function makeSpace(capacity: number): RowSpace {
  const ofWords = Object.values(WORD_SETS).reduce((sum, sets) => sum + WordColumn.setsFor(sets), 0);
  const ofNumbers = (sortFields.length + 1) * RangeColumn.SETS;
  return new RowSpace(capacity, ofWords + ofNumbers + OTHER_SETS);
}

/** Every fact that a search names, a column each. */
export class OfferColumns {
  readonly #ranges: Map<SortField, RangeColumn>;
  readonly gpus: WordColumn;
  readonly providers: WordColumn;
  readonly cities: WordColumn;
  readonly countries: WordColumn;
  readonly regions: WordColumn;
  readonly cpus: WordColumn;
  /** The first letters of each id as a number, see OfferIds. */
  readonly idHeads: RangeColumn;
  /** The rows that are on the market. */
  live: Bits;
  inStock: Bits;
  rentable: Bits;

  /** For the rows that a search finds, and two sets that it needs on the way. */
  found: Bits;
  room: [Bits, Bits];
  /** For the rows that meet all filters but one, a set a filter. */
  butOne: Bits[];
  space: RowSpace;

  constructor(capacity: number) {
    const space = makeSpace(capacity);
    this.space = space;
    // What facets count, as far as there is room on a card.
    let slots = 0;
    const slot = () => slots++;
    this.#ranges = new Map(rangeNames.map((name) => [name, new RangeColumn(space, slot())]));
    this.gpus = new WordColumn(space, WORD_SETS.gpus, slot());
    this.providers = new WordColumn(space, WORD_SETS.providers, slot());
    this.cities = new WordColumn(space, WORD_SETS.cities, slot());
    this.countries = new WordColumn(space, WORD_SETS.countries, slot());
    this.regions = new WordColumn(space, WORD_SETS.regions);
    this.cpus = new WordColumn(space, WORD_SETS.cpus);
    for (const name of ["gpu_amount", "price_per_gpu"] as const)
      this.#ranges.set(name, new RangeColumn(space));
    this.idHeads = new RangeColumn(space);
    this.live = space.take();
    this.inStock = space.take();
    this.rentable = space.take();
    this.found = space.take();
    this.room = [space.take(), space.take()];
    this.butOne = filterNames.map(() => space.take());
  }

  range(name: SortField): RangeColumn {
    return this.#ranges.get(name) as RangeColumn;
  }

  /** @param head the first letters of its id as a number */
  write(row: number, offer: OfferFacts, head: number): void {
    this.idHeads.set(row, head);
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
    for (const column of this.#numbers) column.set(row, Number.NaN);
    for (const column of this.#words) column.set(row, null);
    for (const bits of [this.inStock, this.rentable, this.live]) clearBit(bits, row);
  }

  grow(capacity: number): void {
    const space = makeSpace(capacity);
    space.cards.set(this.space.cards);
    this.space = space;
    for (const column of [...this.#numbers, ...this.#words]) column.grow(space);
    this.live = space.take(this.live);
    this.inStock = space.take(this.inStock);
    this.rentable = space.take(this.rentable);
    this.found = space.take();
    this.room = [space.take(), space.take()];
    this.butOne = filterNames.map(() => space.take());
  }

  /** Cuts one column after the other anew for the values of these rows; between two of them others can search. */
  *rebin(rows: Uint32Array): Generator<void> {
    for (const column of this.#words) {
      column.reorder();
      yield;
    }
    for (const column of this.#numbers) {
      column.rebin(rows);
      yield;
    }
  }

  get #numbers(): RangeColumn[] {
    return [...this.#ranges.values(), this.idHeads];
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
  const end = word.indexOf("\u0000");
  return end < 0 ? [word, null] : [word.slice(0, end), word.slice(end + 1)];
}
