import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase } from "../lib/db/client";
import { acquireDatabase } from "../lib/db/embedded";
import { fillMarket } from "./fill-market";
import { makePeople } from "./market";
import type { StopList } from "./stop-list";

/** A market in a database of its own, and who rents there. */
export interface OpenMarket {
  folder: string;
  url: string;
  key: string;
  /** Forgets it all. */
  close(): Promise<void>;
}

/** Berth's embedded PostgreSQL in a new folder, with so many offers. DATABASE_URL points to it until it is closed. */
export async function openMarket(offers: number, stops: StopList): Promise<OpenMarket> {
  const folder = await mkdtemp(join(tmpdir(), "berth-bench-"));
  const ends = [stops.add(() => rm(folder, { recursive: true, force: true }))];
  const database = await acquireDatabase(folder, { durable: false });
  ends.push(stops.add(() => database.release()));
  process.env.DATABASE_URL = database.url;
  ends.push(stops.add(closeDatabase));
  await fillMarket(database.url, offers);
  const { key } = await makePeople();
  return {
    ...{ folder, url: database.url, key },
    async close() {
      for (const end of ends.reverse()) await end();
    },
  };
}
