import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { ensureCluster } from "@/lib/db/embedded-cluster";
import { stopPostmaster } from "@/lib/db/embedded-postmaster";

/** A data folder under a 0700 one; after the test its server is stopped, whoever left it, and the folder removed. */
export async function makeDataFolder(): Promise<string> {
  const room = await mkdtemp(join(inject("scratchFolder"), "room-"));
  const folder = join(room, "data");
  onTestFinished(async () => {
    if (await findPid(folder)) await stopPostmaster(await ensureCluster(folder, false));
    await rm(room, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

/** The process id in the data folder's lock file, if there is one. */
export async function findPid(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, "postgres/data/postmaster.pid"), "utf8").catch(() => "");
  return text ? Number(text.split("\n")[0]) : null;
}
