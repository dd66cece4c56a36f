import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { env } from "../env";
import { pause } from "../kernel/pause";
import { DatabaseSilentError } from "./unavailable";

// Together below the two seconds in which a 503 has to be out, with room for the answer.
const BEAT_MS = 300;
const SILENT_AFTER_MS = 1_000;

interface Heartbeat {
  silent: boolean;
  /** Calls that wait on the database, each to be told when it falls silent. */
  waiting: Set<(error: Error) => void>;
  stop(): void;
}

const shared = globalThis as typeof globalThis & { berthHeartbeat?: Heartbeat | undefined };

/**
 * Watches the database on a connection of its own. A stopped process (SIGSTOP, a lost network) keeps its sockets open,
 * so without this a query on it would hang for as long as TCP lets it.
 */
export function startHeartbeat(): void {
  stopHeartbeat();
  const stopping = new AbortController();
  const heart: Heartbeat = { silent: false, waiting: new Set(), stop: () => stopping.abort() };
  shared.berthHeartbeat = heart;
  void keepBeating(heart, stopping.signal);
}

export function stopHeartbeat(): void {
  shared.berthHeartbeat?.stop();
  shared.berthHeartbeat = undefined;
}

async function keepBeating(heart: Heartbeat, signal: AbortSignal): Promise<void> {
  let client: pg.Client | undefined;
  while (!signal.aborted) {
    client ??= makeClient();
    const beat = isConnected(client) ? client.query("SELECT 1") : client.connect();
    if (await answersInTime(beat)) {
      heart.silent = false;
    } else {
      abandon(client);
      client = undefined;
      fallSilent(heart);
    }
    await pause(BEAT_MS, signal);
  }
  if (client) abandon(client);
}

const connected = new WeakSet<pg.Client>();

function isConnected(client: pg.Client): boolean {
  return connected.has(client);
}

function makeClient(): pg.Client {
  const client = new pg.Client({
    connectionString: env().DATABASE_URL,
    // Destroys the socket of a connection that was given up; a half-closed one would stay.
    connectionTimeoutMillis: 2 * SILENT_AFTER_MS,
    application_name: "berth heartbeat",
  });
  client.on("error", () => undefined); // the next beat finds it broken
  client.once("connect", () => connected.add(client));
  return client;
}

function abandon(client: pg.Client): void {
  client.end().catch(() => undefined);
}

/** Whether it succeeds in time. A busy event loop of our own is not the database's silence: what has arrived counts. */
async function answersInTime(beat: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const success = beat.then(
    () => true,
    () => false,
  );
  const deadline = sleep(SILENT_AFTER_MS, undefined, { signal: late.signal }).then(
    () => nextTurn(false),
    () => false,
  );
  const inTime = await Promise.race([success, deadline]);
  late.abort();
  return inTime;
}

function fallSilent(heart: Heartbeat): void {
  heart.silent = true;
  for (const tell of heart.waiting) tell(new DatabaseSilentError());
  heart.waiting.clear();
}

/** The work's result, or DatabaseSilentError as soon as the database is known to be silent. */
export async function whileDatabaseAnswers<T>(work: () => Promise<T>): Promise<T> {
  const heart = shared.berthHeartbeat;
  if (!heart) return work();
  if (heart.silent) throw new DatabaseSilentError();
  // Not a race against one lasting promise: that would keep every answer for as long as the database lives.
  return new Promise<T>((resolve, reject) => {
    work().then(
      (value) => {
        heart.waiting.delete(reject);
        resolve(value);
      },
      (error) => {
        heart.waiting.delete(reject);
        reject(error);
      },
    );
    heart.waiting.add(reject);
  });
}
