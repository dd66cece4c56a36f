import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import {
  facts,
  makeRandomMarket,
  type Row,
  type SearchInput,
  searchBodies,
  shownMicro,
} from "../support/random-market";

useTestDatabase();

let key = "";
let rows: Row[] = [];

beforeAll(async () => {
  ({ key } = await makeAccount());
  rows = await makeRandomMarket();
});

function isShown(row: Row): boolean {
  const gone = row.unavailableSince && Date.now() - row.unavailableSince.getTime() > 24 * 3_600_000;
  return row.listed && !gone;
}

const lower = (text: unknown) => String(text).toLowerCase();

/** Section 4.2 and the decisions, filter by filter, over rows in memory. */
function matches(row: Row, { query, currency }: SearchInput): boolean {
  return Object.entries(query).every(([name, wish]) => {
    if (wish === null || wish === "" || (Array.isArray(wish) && wish.length === 0)) return true;
    if (name === "location") {
      const places = [row.city, row.country, row.region].filter((place) => place !== null).map(lower);
      return (wish as string[]).some((place) => places.includes(lower(place)));
    }
    if (name === "gpu_translit_name") return (wish as string[]).includes(row.gpuTranslitName ?? "");
    if (name === "provider") return row.provider.translitName === wish || row.provider.name === wish;
    if (name === "cpu_name") return row.cpuName !== null && lower(row.cpuName).includes(lower(wish));
    if (name === "in_stock") return (!row.leased && row.live) === wish;
    if (name === "rentable") {
      const rentable = !row.leased && row.live && row.priceMicro !== null && row.runtime !== "none";
      return rentable === wish;
    }
    if (name === "gpu_amount") return row.gpuAmount === wish;
    const [, fact = "", side] = /^(\w+)_(gt|lt)$/.exec(name) ?? [];
    const micro = shownMicro(row, currency);
    const value =
      fact === "price"
        ? micro === null
          ? null
          : Number(micro) / 1e6
        : row[facts[fact as keyof typeof facts]];
    if (value === null) return false;
    return side === "gt" ? Number(value) > Number(wish) : Number(value) < Number(wish);
  });
}

function sortValue(row: Row, field: string): number | null {
  if (field === "price") return row.priceMicro === null ? null : Number(row.priceMicro);
  if (field === "price_per_gpu") {
    return row.priceMicro === null ? null : Number(row.priceMicro) / Math.max(1, row.gpuAmount);
  }
  if (field === "gpu_amount") return row.gpuAmount;
  return row[facts[field as keyof typeof facts]];
}

function expected(body: SearchInput): string[] {
  const field = body.sort_by.replace(/_(asc|desc)$/, "");
  const sign = body.sort_by.endsWith("_desc") ? -1 : 1;
  return rows
    .filter((row) => isShown(row) && matches(row, body))
    .sort((a, b) => {
      const [x, y] = [sortValue(a, field), sortValue(b, field)];
      if (x !== y) return x === null ? 1 : y === null ? -1 : sign * (x - y);
      return a.id < b.id ? -1 : 1;
    })
    .map(({ id }) => id);
}

async function search(body: SearchInput): Promise<{ ids: string[]; total: number }> {
  const answer = await callApi(operations.searchMarket, { key, body });
  expect(answer.status).toBe(200);
  return { ids: answer.body.data.map(({ id }) => id), total: answer.body.total_items };
}

const bodies = searchBodies(() => rows);

describe("the search against a naive filter", () => {
  it("MKT-01 gives for random bodies what a filter over all rows gives, in the same order", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const ids = expected(body);
        expect(await search(body)).toEqual({ ids, total: ids.length });
      }),
      { numRuns: 400, seed: 20261121 },
    );
  });

  it("MKT-02 never gains an offer by one more filter", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, bodies, async (body, more) => {
        const wide = new Set((await search(body)).ids);
        const query = { ...more.query, ...body.query };
        const narrow = await search({ ...body, query });
        if (body.currency === more.currency) expect(narrow.ids.filter((id) => !wide.has(id))).toEqual([]);
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  it("MKT-03 pages by start and limit without a gap or a repeat", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.integer({ min: 1, max: 60 }), async (body, limit) => {
        const all = await search(body);
        const pages: string[] = [];
        for (let start = 0; start < all.total; start += limit) {
          const page = await search({ ...body, start, limit });
          expect(page.total).toBe(all.total);
          pages.push(...page.ids);
        }
        expect(pages).toEqual(all.ids);
      }),
      { numRuns: 25, seed: 11 },
    );
  });
});
