import pg from "pg";
import { env } from "../env";
import { DatabaseSilentError } from "./unavailable";

const BEAT_MS = 400;
const SILENT_AFTER_MS = 900;

interface Heartbeat {
  silent: boolean;
  /** Rejects at the moment the database falls silent; made anew when it is back. */
  loss: Promise<never>;
  stop(): void;
}

const shared = globalThis as typeof globalThis & { berthHeartbeat?: Heartbeat };

/**
 * Watches the database on a connection of its own. A stopped process (SIGSTOP, a lost network) keeps its sockets open,
 * so without this a query on it would hang for as long as TCP lets it.
 */
export function startHeartbeat(): void {
  let fail: (error: Error) => void = () => undefined;
  const renew = () => {
    const loss = new Promise<never>((_, reject) => {
      fail = reject;
    });
    loss.catch(() => undefined);
    return loss;
  };
  const timer = setInterval(() => void beat(), BEAT_MS);
  const heart: Heartbeat = {
    silent: false,
    loss: renew(),
    stop() {
      clearInterval(timer);
      void client?.end().catch(() => undefined);
    },
  };
  let beating = false;
  let client: pg.Client | undefined;
  async function beat(): Promise<void> {
    if (beating) return;
    beating = true;
    try {
      client ??= await connect();
      await client.query("SELECT 1");
      if (heart.silent) heart.loss = renew();
      heart.silent = false;
    } catch {
      void client?.end().catch(() => undefined);
      client = undefined;
      heart.silent = true;
      fail(new DatabaseSilentError());
    } finally {
      beating = false;
    }
  }
  shared.berthHeartbeat = heart;
}

export function stopHeartbeat(): void {
  shared.berthHeartbeat?.stop();
  shared.berthHeartbeat = undefined;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: env().DATABASE_URL,
    connectionTimeoutMillis: SILENT_AFTER_MS,
    query_timeout: SILENT_AFTER_MS,
    application_name: "berth heartbeat",
  });
  client.on("error", () => undefined); // the next beat finds it broken
  await client.connect();
  return client;
}

/** The work's result, or DatabaseSilentError as soon as the database is known to be silent. */
export async function whileDatabaseAnswers<T>(work: () => Promise<T>): Promise<T> {
  const heart = shared.berthHeartbeat;
  if (!heart) return work();
  if (heart.silent) throw new DatabaseSilentError();
  return Promise.race([work(), heart.loss]);
}
