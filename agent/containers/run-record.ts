import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";

const port = z.number().int().min(1).max(65_535);
const runRecord = z.object({
  instanceId: z.string(),
  /** Which of the wished boots the container's run belongs to. */
  boot: z.number().int(),
  /** StartedAt of the run that has to end or was ended on purpose; null where none was. */
  mark: z.string().nullable(),
  /** The kernel's boot id at the last start. */
  machineBoot: z.string(),
  sshPort: port.nullable(),
  /** Container port → port of this machine, of those that the engine binds. */
  ports: z.record(z.string(), port),
});
export type RunRecord = z.output<typeof runRecord>;

/**
 * What has to be known of an instance across a kill -9 and cannot be read from the engine. One file an instance, 0600. A
 * record is written before what it is about is done, so what was done is never without one.
 */
export class RunRecords {
  readonly #folder: string;
  readonly #records = new Map<string, RunRecord>();

  constructor(folder: string) {
    this.#folder = join(folder, "instances");
  }

  /** Reads what is there. A damaged file is as good as none: ports are then read from the container. */
  async load(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#folder)) {
      const record = await readRecord(join(this.#folder, name));
      if (record && fileName(record.instanceId) === name) this.#records.set(record.instanceId, record);
      else await rm(join(this.#folder, name), { force: true });
    }
  }

  get(instanceId: string): RunRecord | null {
    return this.#records.get(instanceId) ?? null;
  }

  all(): RunRecord[] {
    return [...this.#records.values()];
  }

  async write(record: RunRecord): Promise<void> {
    // Known before it is on disk: nobody else may be given its ports meanwhile.
    this.#records.set(record.instanceId, record);
    const file = join(this.#folder, fileName(record.instanceId));
    await writeFileAtomic(file, JSON.stringify(record), { mode: 0o600 });
  }

  async remove(instanceId: string): Promise<void> {
    await rm(join(this.#folder, fileName(instanceId)), { force: true });
    this.#records.delete(instanceId);
  }
}

/** An id comes from the network, and is no path. */
function fileName(instanceId: string): string {
  return `${encodeURIComponent(instanceId).replaceAll(".", "%2E")}.json`;
}

async function readRecord(file: string): Promise<RunRecord | null> {
  try {
    return runRecord.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null;
  }
}
