import { acquireDatabase } from "../lib/db/embedded";
import { migrate } from "../lib/db/migrator";
import { StartupError } from "../lib/db/startup-error";
import { type Env, env } from "../lib/env";

/**
 * Runs a command's work on the market's database: DATABASE_URL's, or the embedded one of DATA_DIR, which is started
 * where no server has it running and stopped by whoever leaves last. Modules that open connections must be imported
 * within `work`.
 */
export function withMarket<T>(work: () => Promise<T>): Promise<T> {
  return withDatabase(async (url) => {
    await migrate(url);
    process.env.DATABASE_URL = url;
    if (await isEmpty()) await (await import("../lib/market-setup")).seedMarket();
    return await work();
  });
}

/** What every market needs comes at once or not at all. Later, what a newer program brings along comes with its server. */
async function isEmpty(): Promise<boolean> {
  const { db } = await import("../lib/db/client");
  return (await db().gpu.findFirst({ select: { translitName: true } })) === null;
}

/** Runs work on the same database as it is: neither migrated nor given what every market has. */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const { DATABASE_URL, DATA_DIR } = readSettings();
  const embedded = DATABASE_URL ? null : await acquireDatabase(DATA_DIR);
  const leave = async () => {
    await (await import("../lib/db/client")).closeDatabase();
    await embedded?.release();
  };
  const interrupt = () => void leave().finally(() => process.exit(130));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await work(embedded?.url ?? DATABASE_URL ?? "");
  } finally {
    process.removeListener("SIGINT", interrupt).removeListener("SIGTERM", interrupt);
    await leave();
  }
}

/** The settings, or StartupError that names the one which is not usable. */
export function readSettings(): Env {
  try {
    return env();
  } catch (error) {
    throw new StartupError(error instanceof Error ? error.message : String(error));
  }
}
