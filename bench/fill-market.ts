import pg from "pg";
import { gpuModels } from "../lib/catalogue/gpu-models";
import { migrate } from "../lib/db/migrator";
import type { OfferFacts } from "../lib/market/index/offer-facts";
import { seedMarket } from "../lib/market-setup";
import { type Cell, copyRows } from "./copy-rows";
import { makeOffers, providers } from "./search/offers";

const gpuNames = new Map(gpuModels.map(({ translitName, name }) => [translitName, name]));

/** Each column of a market's offer from its facts; what the database derives is left out. */
const columns: readonly [name: string, of: (offer: OfferFacts) => Cell][] = [
  ["id", ({ id }) => id],
  ["provider_id", ({ providerId }) => providerId],
  ["gpu_translit_name", ({ gpu }) => gpu],
  ["gpu_name", ({ gpu }) => gpuNames.get(gpu ?? "") ?? "No GPU"],
  ["gpu_amount", ({ gpuAmount }) => gpuAmount],
  ["vram_gb", ({ vram }) => vram],
  ["ram_gb", ({ ram }) => ram],
  ["disk_gb", ({ disk }) => disk],
  ["cpu_name", ({ cpuName }) => cpuName],
  ["vcpu", ({ vcpu }) => vcpu],
  ["cpu_cores", ({ cpuCores }) => cpuCores],
  ["cpu_freq_ghz", ({ cpuFreq }) => cpuFreq],
  ["memory_speed_gbps", ({ memorySpeed }) => memorySpeed],
  ["ethernet_in_mbps", ({ ethernetIn }) => ethernetIn],
  ["ethernet_out_mbps", ({ ethernetOut }) => ethernetOut],
  ["capacity_tflops", ({ capacity }) => capacity],
  ["city", ({ city }) => city],
  ["country", ({ country }) => country],
  ["region", ({ region }) => region],
  ["score", ({ score }) => score],
  ["price_micro", ({ priceMicro }) => priceMicro],
  ["disk_price_micro", () => 100_000],
  ["is_third_party", () => true],
  ["live", ({ inStock }) => inStock],
  ["runtime", ({ rentable }) => (rentable ? "simulated" : "none")],
  ["catalogue_source", () => "bench"],
  ["catalogue_key", ({ id }) => id],
];

/** Brings an empty database to a market of so many offers, as `makeOffers` has them. Needs DATABASE_URL set to it. */
export async function fillMarket(url: string, size: number): Promise<void> {
  await migrate(url);
  await seedMarket();
  const client = new pg.Client(url);
  await client.connect();
  try {
    const provider = { table: "provider", columns: ["id", "name", "translit_name", "is_third_party"] };
    await copyRows(
      client,
      provider,
      providers.map(({ id, name, translitName }) => [id, name, translitName, true]),
    );
    const offer = { table: "offer", columns: columns.map(([name]) => name) };
    const rows = function* () {
      for (const facts of makeOffers(size)) yield columns.map(([, of]) => of(facts));
    };
    await copyRows(client, offer, rows());
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}
