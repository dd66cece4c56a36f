import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { authenticateKey } from "./accounts/caller";
import { createAccount } from "./accounts/create-account";
import { createApiKey } from "./accounts/create-api-key";
import { demoProviders } from "./catalogue/demo-providers";
import { generateOffers } from "./catalogue/generate-offers";
import { importDrafts } from "./catalogue/import-drafts";
import { db } from "./db/client";
import { env } from "./env";
import { createSimulatedHost } from "./hosts/create-simulated-host";
import { parseToken } from "./kernel/token";

const RENTER_EMAIL = "renter@demo.invalid";
const OWNER_EMAIL = "owner@demo.invalid";
export const demoEmails: readonly string[] = [RENTER_EMAIL, OWNER_EMAIL];

/** The catalogue source of its offers. */
export const DEMO_SOURCE = "demo";
const DEMO_OFFERS = 400;
const DEMO_SEED = "berth demo";
const RENTER_BALANCE_MICRO = 1_000_000_000n;
const HOSTS = [
  { gpu: "rtx-4090", gpus: 1, priceMicro: 390_000n, city: "Oslo", country: "Norway", region: "Europe" },
  {
    gpu: "rtx-5090",
    gpus: 2,
    priceMicro: 1_060_000n,
    city: "Helsinki",
    country: "Finland",
    region: "Europe",
  },
  {
    gpu: "h100-sxm-80gb",
    gpus: 8,
    priceMicro: 18_400_000n,
    city: "Dallas",
    country: "United States",
    region: "North America",
  },
];

/** The demo's renter, and a key where there is one that works. */
export interface Demo {
  renterId: string;
  apiKey: string | null;
}

const demoFile = z.object({ email: z.string(), api_key: z.string() });

/** The demo's renter, who is made last: without one the demo is not whole. */
export async function findDemoRenter(): Promise<string | null> {
  const user = await db().user.findUnique({ where: { email: RENTER_EMAIL }, select: { id: true } });
  return user?.id ?? null;
}

/** The demo's host owner; null where there is no demo. */
export async function findDemoOwner(): Promise<string | null> {
  const user = await db().user.findUnique({ where: { email: OWNER_EMAIL }, select: { id: true } });
  return user?.id ?? null;
}

/**
 * Loads what the demo lacks: a host owner with three simulated hosts, 400 offers of fictional providers, and a renter.
 * May be killed at any point and called again. Callers hold the market's setup lock.
 */
export async function loadDemo(): Promise<Demo> {
  const ownerId = await ensureDemoAccount(OWNER_EMAIL, 0n);
  const hosts = await db().host.count({ where: { userId: ownerId } });
  for (const host of HOSTS.slice(hosts)) await createSimulatedHost({ userId: ownerId, ...host });
  await importDrafts({
    source: DEMO_SOURCE,
    drafts: generateOffers({ offers: DEMO_OFFERS, seed: DEMO_SEED }),
    runtime: "simulated",
  });
  for (const { translitName, description } of demoProviders) {
    await db().provider.updateMany({ where: { translitName, ownerId: null }, data: { description } });
  }
  const renterId = await ensureDemoAccount(RENTER_EMAIL, RENTER_BALANCE_MICRO);
  return { renterId, apiKey: await keepDemoKey(renterId) };
}

async function ensureDemoAccount(email: string, balanceMicro: bigint): Promise<string> {
  const user = await db().user.findUnique({ where: { email }, select: { id: true } });
  if (user) return user.id;
  const roles = email === OWNER_EMAIL ? (["host"] as const) : [];
  return (await createAccount({ email, balanceMicro, roles })).userId;
}

/**
 * The renter's key from `demo.json` in DATA_DIR, or a new one where that file has none of this database's. A key that
 * someone revoked stays revoked: null then.
 */
export async function keepDemoKey(renterId: string): Promise<string | null> {
  const { DATA_DIR } = env();
  const file = join(DATA_DIR, "demo.json");
  const text = await readFile(file, "utf8").catch(() => "{}");
  const kept = demoFile.safeParse(parseJson(text)).data?.api_key;
  if (kept) {
    const works = (await authenticateKey(kept))?.userId === renterId;
    if (works || (await isOurs(kept, renterId))) return works ? kept : null;
  }
  const { apiKey } = await createApiKey({ userId: renterId, name: "demo" });
  await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  const content = { email: RENTER_EMAIL, api_key: apiKey };
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
  return apiKey;
}

async function isOurs(token: string, userId: string): Promise<boolean> {
  const id = parseToken("ak", token)?.id;
  return id !== undefined && (await db().apiKey.count({ where: { id, userId } })) > 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
