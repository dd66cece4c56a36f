import pg from "pg";
import { createAccount } from "./accounts/create-account";
import { makeSignInLink } from "./accounts/make-sign-in-link";
import { getSignUpRules } from "./accounts/sign-up-rules";
import { seedGpus } from "./catalogue/seed-gpus";
import { db, inTransaction } from "./db/client";
import { DEMO_SOURCE, type Demo, demoEmails, findDemoRenter, keepDemoKey, loadDemo } from "./demo-market";
import { env } from "./env";
import { seedPresets } from "./templates/seed-presets";

const SETUP_LOCK = 7_260_103;
const PRESETS_EMAIL = "presets@berth.invalid";

/** What the start has to tell people. */
export interface PreparedMarket {
  demo: Demo | null;
  /** The demo was made by this start. */
  isFirstStart: boolean;
  /** Nobody has an account yet. */
  isEmpty: boolean;
}

/**
 * Puts into a migrated database what every market needs (GPU models, presets) and, on the first start of one that only
 * this machine can reach, the demo. Nodes that start at once take turns; later starts only read.
 */
export async function prepareMarket(): Promise<PreparedMarket> {
  await seedMarket();
  const others = { email: { notIn: [PRESETS_EMAIL, ...demoEmails] } };
  const isEmpty = (await db().user.findFirst({ where: others, select: { id: true } })) === null;
  if (!getSignUpRules().loopback) return { demo: null, isFirstStart: false, isEmpty };
  const renterId = await findDemoRenter();
  if (renterId) {
    const apiKey = await withSetupLock(() => keepDemoKey(renterId));
    return { demo: { renterId, apiKey }, isFirstStart: false, isEmpty };
  }
  // An account may have been made by the command before; offers say that somebody has a market here.
  return (await hasOwnOffers())
    ? { demo: null, isFirstStart: false, isEmpty }
    : { demo: await ensureDemo(), isFirstStart: true, isEmpty };
}

/** Offers beside those that a demo, which was cut off half-way, has made. */
async function hasOwnOffers(): Promise<boolean> {
  const own = await db().offer.findFirst({
    where: {
      OR: [
        { catalogueSource: { not: DEMO_SOURCE } },
        { host: { user: { email: { notIn: [...demoEmails] } } } },
      ],
    },
    select: { id: true },
  });
  return own !== null;
}

/** Puts in what every market needs: the GPU models, and the presets with their account. */
export async function seedMarket(): Promise<void> {
  const presetsOwner = await ensurePresetsOwner();
  await withSetupLock(() =>
    inTransaction(async (tx) => {
      await seedGpus(tx);
      await seedPresets(tx, presetsOwner);
    }),
  );
}

/** Loads the demo into this market, whatever is in it already; what is there of it is left as it is. */
export function ensureDemo(): Promise<Demo> {
  return withSetupLock(() => loadDemo());
}

/** What a person who starts the market should see, line by line. */
export async function describeMarket(market: PreparedMarket, link: string): Promise<string[]> {
  const { demo, isFirstStart, isEmpty } = market;
  if (!demo) {
    const create = "npm run -s berth -- account create --email you@example.com --role operator";
    return isEmpty ? [`account  nobody has one yet: ${create}`] : [];
  }
  if (!isFirstStart && !process.stdout.isTTY) return [];
  const { url } = await makeSignInLink(demo.renterId, link);
  const signIn = `sign in  ${url} (works once)`;
  return demo.apiKey ? [signIn, `API key  ${demo.apiKey} (the demo renter's)`] : [signIn];
}

async function ensurePresetsOwner(): Promise<string> {
  const find = () => db().user.findUnique({ where: { email: PRESETS_EMAIL }, select: { id: true } });
  const found = await find();
  if (found) return found.id;
  // Of two nodes at once one is refused, and then it is there.
  const created = await createAccount({ email: PRESETS_EMAIL }).catch(() => null);
  const id = created?.userId ?? (await find())?.id;
  if (!id) throw new Error("the presets' account could not be made");
  return id;
}

/**
 * One at a time over all nodes. The lock has a connection of its own, so that the work can have the pool's last one, and
 * ends with its transaction: with a killed process, and through a pooler of transactions too.
 */
async function withSetupLock<T>(work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined); // a broken connection fails the query that uses it
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [SETUP_LOCK]);
    const result = await work();
    await client.query("COMMIT");
    return result;
  } finally {
    await client.end();
  }
}
