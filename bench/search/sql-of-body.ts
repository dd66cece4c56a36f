import { largestUsdMicroBelow, smallestUsdMicroAbove } from "../../lib/kernel/money";
import type { OfferFacts } from "../../lib/market/index/offer-facts";
import type { IndexSearch } from "../../lib/market/index/offer-index";
import type { Cell } from "../copy-rows";
import { findProviderId } from "./offers";

/** The columns of the table that PostgreSQL and DuckDB search, words in lower case; each of its type and from its fact. */
export const sqlColumns: readonly [name: string, type: string, of: (offer: OfferFacts) => Cell][] = [
  ["id", "text", ({ id }) => id],
  ["provider_id", "text", ({ providerId }) => providerId],
  ["gpu", "text", ({ gpu }) => gpu],
  ["cpu_name", "text", ({ cpuName }) => lower(cpuName)],
  ["city", "text", ({ city }) => lower(city)],
  ["country", "text", ({ country }) => lower(country)],
  ["region", "text", ({ region }) => lower(region)],
  ["price", "integer", ({ priceMicro }) => priceMicro],
  ["gpu_amount", "integer", ({ gpuAmount }) => gpuAmount],
  ["score", "integer", ({ score }) => score],
  ["vram", "integer", ({ vram }) => vram],
  ["ram", "integer", ({ ram }) => ram],
  ["disk", "integer", ({ disk }) => disk],
  ["vcpu", "integer", ({ vcpu }) => vcpu],
  ["cpu_cores", "integer", ({ cpuCores }) => cpuCores],
  ["memory_speed", "integer", ({ memorySpeed }) => memorySpeed],
  ["ethernet_in", "integer", ({ ethernetIn }) => ethernetIn],
  ["ethernet_out", "integer", ({ ethernetOut }) => ethernetOut],
  ["cpu_freq", "double precision", ({ cpuFreq }) => cpuFreq],
  ["capacity", "double precision", ({ capacity }) => capacity],
  ["price_per_gpu", "double precision", ({ priceMicro, gpuAmount }) => priceMicro && priceMicro / gpuAmount],
  ["in_stock", "boolean", ({ inStock }) => inStock],
  ["rentable", "boolean", ({ rentable }) => rentable],
];

export const tableSql = `CREATE TABLE offer (${sqlColumns.map(([name, type]) => `${name} ${type}`).join(", ")})`;

/** A search in SQL, with `$1` and so on for its values. */
export interface SqlBody {
  /** A page's ids, and apart from them how many match. */
  page: string;
  count: string;
  /** Both in one statement, of rows (id, total); no row where the page is empty. */
  both: string;
  values: (string | number | boolean)[];
}

export function sqlOfBody({ filters, sort, start, limit, rate }: IndexSearch): SqlBody {
  const values: SqlBody["values"] = [];
  const bind = (value: string | number | boolean) => `$${values.push(value)}`;
  const bindAll = (list: readonly string[]) => list.map((value) => bind(value)).join(", ");
  const conditions = Object.entries(filters).map(([name, wish]) => {
    const [, fact = name, side] = /^(\w+)_(gt|lt)$/.exec(name) ?? [];
    switch (name) {
      case "location": {
        const places = bindAll((wish as string[]).map((place) => place.toLowerCase()));
        return `(city IN (${places}) OR country IN (${places}) OR region IN (${places}))`;
      }
      case "gpu_translit_name":
        return `gpu IN (${bindAll(wish as string[])})`;
      case "provider":
        return `provider_id = ${bind(findProviderId(String(wish)))}`;
      case "cpu_name":
        return `strpos(cpu_name, ${bind(String(wish).toLowerCase())}) > 0`;
      case "price_gt":
        return `price >= ${bind(Number(smallestUsdMicroAbove(Number(wish), rate)))}`;
      case "price_lt":
        return `price <= ${bind(Number(largestUsdMicroBelow(Number(wish), rate)))}`;
      case "in_stock":
      case "rentable":
        return wish ? name : `NOT ${name}`;
      default:
        return `${fact} ${side === "gt" ? ">" : side === "lt" ? "<" : "="} ${bind(Number(wish))}`;
    }
  });
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const direction = sort.endsWith("_desc") ? "DESC" : "ASC";
  const page = `${where} ORDER BY ${sort.slice(0, sort.lastIndexOf("_"))} ${direction} NULLS LAST, id LIMIT ${limit} OFFSET ${start}`;
  return {
    page: `SELECT id FROM offer ${page}`,
    count: `SELECT count(*)::integer AS total FROM offer ${where}`,
    both: `SELECT id, (count(*) OVER ())::integer AS total FROM offer ${page}`,
    values,
  };
}

function lower(word: string | null): string | null {
  return word?.toLowerCase() ?? null;
}
