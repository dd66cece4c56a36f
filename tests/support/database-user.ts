// A process that uses a data folder as `npm start` and the CLI do, for tests that kill it:
// database-user.ts use|serve|migrate FOLDER-OR-URL [MIGRATIONS]. Says what it has as a line of JSON; leaves when stdin ends.
import { once } from "node:events";
import { acquireDatabase } from "@/lib/db/embedded";
import { migrate } from "@/lib/db/migrator";
import { holdServerLock } from "@/lib/db/server-lock";

const [mode, target = "", folder] = process.argv.slice(2);
const say = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);

if (mode === "migrate") {
  say({ applied: await migrate(target, folder) });
} else {
  const database = await acquireDatabase(target, { durable: false, onChange: (state) => say({ state }) });
  const lock = mode === "serve" ? await holdServerLock(target, database.url) : null;
  say({ url: database.url });
  process.stdin.resume();
  await once(process.stdin, "end");
  await lock?.release();
  await database.release();
  say({ left: true });
}
