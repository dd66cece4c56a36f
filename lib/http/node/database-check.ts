import pg from "pg";
import { pendingMigrations } from "../../db/migrator";
import { StartupError } from "../../db/startup-error";
import type { Readiness } from "./readiness";

/** The check behind /readyz, on a connection of its own so that a full pool does not make a node unready. */
export interface DatabaseCheck {
  check(): Promise<Readiness>;
  stop(): Promise<void>;
}

/** Makes the check. A database that hangs makes it fail after `timeoutMs`, and the next one starts on a new connection. */
export function makeDatabaseCheck(url: string, timeoutMs = 1_400): DatabaseCheck {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: "berth readiness",
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    allowExitOnIdle: true,
  });
  pool.on("error", () => undefined); // the next check sees a broken connection by itself
  return {
    async check() {
      try {
        const pending = await pendingMigrations(pool);
        if (pending.length === 0) return { ready: true };
        return { ready: false, reason: `The database lacks ${pending.length} migrations.` };
      } catch (error) {
        if (error instanceof StartupError) return { ready: false, reason: error.message };
        return { ready: false, reason: "The database does not answer." };
      }
    },
    stop: () => pool.end(),
  };
}
