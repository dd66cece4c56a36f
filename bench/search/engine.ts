import type { OfferFacts } from "../../lib/market/index/offer-facts";
import type { IndexSearch } from "../../lib/market/index/offer-index";

/** The ids of a page in order, and how many match in all. */
export interface Found {
  ids: string[];
  total: number;
}

export type Search = (body: IndexSearch) => Found | Promise<Found>;

/** Something that searches offers: whole, once it is open. */
export interface Engine {
  name: string;
  /** The ways to ask it, by what each does; the best is measured. */
  searches: Record<string, Search>;
  /** Only ours: how many offers each filter would leave. */
  countFacets?(body: IndexSearch): unknown;
  /** Of a server: what its table and indexes take. In this process it is measured from outside. */
  bytes?: number;
  close?(): Promise<void>;
}

/** What the module of an engine exports. It throws `TooManyOffers` where it cannot hold them within its bounds. */
export interface EngineModule {
  openEngine(offers: Iterable<OfferFacts>, folder: string): Engine | Promise<Engine>;
}

export class TooManyOffers extends Error {}
