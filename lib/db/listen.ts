import pg from "pg";
import { env } from "../env";

const RECONNECT_MS = 1_000;
/** A connection whose other end is gone without a word is made again within 10 seconds. */
const CHECK_MS = 4_000;
const ANSWER_MS = 3_000;

/**
 * Hears NOTIFY on a channel, on a connection of its own that is made again when it is lost. Hints only: what is sent while
 * there is no connection is never heard.
 * @param name what PostgreSQL calls the connection
 * @param onHint gets the payload; also undefined whenever it begins to listen, since hints may have been missed before
 */
export function listen(
  channel: string,
  name: string,
  onHint: (payload: string | undefined) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  function connect(): void {
    const next = new pg.Client({
      connectionString: env().DATABASE_URL,
      connectionTimeoutMillis: 2_000,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      application_name: name,
    });
    client = next;
    let gone = false;
    let check: NodeJS.Timeout | undefined;
    const lose = () => {
      if (gone) return;
      gone = true;
      clearInterval(check);
      client = undefined;
      if (!stopped) retry = setTimeout(connect, RECONNECT_MS);
    };
    next.on("notification", ({ payload }) => onHint(payload));
    next.on("error", lose);
    next.on("end", lose);
    const giveUp = () => {
      next.end().catch(() => undefined);
      lose();
    };
    next
      .connect()
      .then(() => next.query(`LISTEN ${channel}`))
      .then(() => {
        onHint(undefined);
        if (!gone) check = setInterval(() => void next.query("SELECT 1").catch(giveUp), CHECK_MS);
      })
      .catch(giveUp);
  }
  connect();
  return {
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
