import fc from "fast-check";
import { generateOffers } from "@/lib/catalogue/generate-offers";
import { importDrafts } from "@/lib/catalogue/import-drafts";
import { seedGpus } from "@/lib/catalogue/seed-gpus";
import { offerSorts } from "@/lib/contract/words";
import { db, inTransaction, type Prisma } from "@/lib/db/client";

export type Row = Prisma.OfferGetPayload<{ include: { provider: true } }>;
type Filters = Record<string, unknown>;
/** What a search sends. */
export interface SearchInput {
  currency: "USD" | "RUB" | "QOIN";
  query: Filters;
  sort_by: string;
  start?: number;
  limit?: number;
}

/** The example rates, as whole numbers of units for one USD. */
const units = { USD: 1n, RUB: 80n, QOIN: 100n } as const;
export const facts = {
  score: "score",
  vram: "vramGb",
  ram: "ramGb",
  disk: "diskGb",
  vcpu: "vcpu",
  cpu_cores: "cpuCores",
  cpu_freq: "cpuFreqGhz",
  memory_speed: "memorySpeedGbps",
  ethernet_in: "ethernetInMbps",
  ethernet_out: "ethernetOutMbps",
  capacity: "capacityTflops",
} as const satisfies Record<string, keyof Row>;

/** Some 200 offers in every state, priced and not, with the GPUs of the catalogue. */
export async function makeRandomMarket(): Promise<Row[]> {
  await inTransaction(seedGpus);
  for (const [source, offers, runtime] of [
    ["a", 160, "simulated"],
    ["b", 60, "none"],
  ] as const) {
    await importDrafts({ source, drafts: generateOffers({ offers, seed: source }), runtime });
  }
  // What a random catalogue has too seldom: ties, unknown facts, what is rented, silent, withdrawn or long gone.
  await db().$executeRaw`UPDATE offer SET price_micro = 500000 WHERE catalogue_key LIKE '%3'`;
  await db().$executeRaw`UPDATE offer SET price_micro = NULL WHERE catalogue_key LIKE '%17'`;
  await db()
    .$executeRaw`UPDATE offer SET ram_gb = NULL, cpu_name = NULL, vcpu = NULL WHERE catalogue_key LIKE '%4'`;
  await db().$executeRaw`UPDATE offer SET city = NULL, score = 80 WHERE catalogue_key LIKE '%5'`;
  await db().$executeRaw`UPDATE offer SET leased = true WHERE catalogue_key LIKE '%6'`;
  await db().$executeRaw`UPDATE offer SET live = false WHERE catalogue_key LIKE '%7'`;
  await db().$executeRaw`UPDATE offer SET listed = false WHERE catalogue_key LIKE '%8'`;
  await db().$executeRaw`
    UPDATE offer SET unavailable_since = now() - interval '25 hours' WHERE catalogue_key LIKE '%16' OR catalogue_key LIKE '%27'`;
  return db().offer.findMany({ include: { provider: true } });
}

/** The hourly price as the answer shows it, in micro-units of the currency. */
export function shownMicro(row: Row, currency: SearchInput["currency"]): bigint | null {
  return row.priceMicro === null ? null : row.priceMicro * units[currency];
}

/** Searches in any currency with up to four filters, of values that the rows have; with all at once nearly nothing would match. */
export function searchBodies(rows: () => Row[]): fc.Arbitrary<SearchInput> {
  const anyRow = fc.nat().map((n) => rows()[n % rows().length] as Row);
  const anyValueOf = (fact: keyof typeof facts) => anyRow.map((row) => row[facts[fact]] ?? 1);
  const bounds = Object.fromEntries(
    Object.keys(facts).flatMap((fact) =>
      // Section 4.2 has no score_lt.
      (fact === "score" ? ["gt"] : ["gt", "lt"]).map((side) => [
        `${fact}_${side}`,
        fc.oneof(anyValueOf(fact as keyof typeof facts), fc.constant(null)),
      ]),
    ),
  );
  /** Prices right at, and a hair beside, what an answer shows. */
  const price = (currency: SearchInput["currency"]) =>
    fc
      .tuple(anyRow, fc.constantFrom(0, 1e-6, -1e-6, 5e-7, -5e-7))
      .map(([row, hair]) => Number((Number(shownMicro(row, currency) ?? 1n) / 1e6 + hair).toFixed(7)));

  const filtersIn = (currency: SearchInput["currency"]) =>
    fc.record(
      {
        location: fc.array(
          anyRow.map((row) => (row.country ?? "Europe").toUpperCase()),
          { maxLength: 3 },
        ),
        gpu_translit_name: fc.array(
          anyRow.map((row) => row.gpuTranslitName ?? ""),
          { maxLength: 4 },
        ),
        provider: fc.oneof(
          anyRow.map((row) => row.provider.translitName),
          anyRow.map((row) => row.provider.name),
          fc.constant(""),
        ),
        cpu_name: fc.constantFrom("epyc", "XEON", "ryzen", "%", "_"),
        in_stock: fc.boolean(),
        rentable: fc.boolean(),
        gpu_amount: fc.constantFrom(1, 2, 4, 8, 1.5),
        price_gt: price(currency),
        price_lt: price(currency),
        ...bounds,
      },
      { requiredKeys: [] },
    );

  return fc.constantFrom("USD" as const, "RUB" as const, "QOIN" as const).chain((currency) =>
    fc.record({
      currency: fc.constant(currency),
      query: fc.tuple(filtersIn(currency), fc.nat({ max: 4 }), fc.nat()).map(([all, keep, turn]) => {
        const entries = Object.entries(all);
        return Object.fromEntries(
          [...entries.slice(turn % (entries.length || 1)), ...entries].slice(0, keep),
        );
      }),
      sort_by: fc.constantFrom(...offerSorts),
    }),
  );
}
