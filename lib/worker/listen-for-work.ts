import pg from "pg";
import { env } from "../env";
import { WORK_CHANNEL } from "../instances/move-instance";

const RECONNECT_MS = 1_000;

/** Ends a wait early when another process has work. A hint that is lost costs the rest of the wait and nothing else. */
export function listenForWork(signal: AbortSignal) {
  let wake: () => void = () => undefined;
  let hinted = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  const hint = () => {
    hinted = true;
    wake();
  };
  const reconnect = () => {
    client = undefined;
    if (!signal.aborted) retry = setTimeout(connect, RECONNECT_MS);
  };
  function connect(): void {
    const next = new pg.Client({
      connectionString: env().DATABASE_URL,
      connectionTimeoutMillis: 2_000,
      application_name: "berth worker hints",
    });
    client = next;
    let gone = false;
    const lose = () => {
      if (gone) return;
      gone = true;
      reconnect();
    };
    next.on("notification", hint);
    next.on("error", lose);
    next.on("end", lose);
    next
      .connect()
      .then(() => next.query(`LISTEN ${WORK_CHANNEL}`))
      .catch(() => {
        next.end().catch(() => undefined);
        lose();
      });
  }
  connect();
  signal.addEventListener("abort", () => wake(), { once: true });
  return {
    /** Resolves at the next hint, or one that came meanwhile, and after `ms` at the latest. */
    waitAtMost(ms: number): Promise<void> {
      if (hinted || signal.aborted) {
        hinted = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          hinted = false;
          resolve();
        };
        const timer = setTimeout(done, ms);
        wake = done;
      });
    },
    async stop(): Promise<void> {
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
