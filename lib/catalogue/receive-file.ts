import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureDataDir } from "../db/data-dir";
import { env } from "../env";
import { newId } from "../kernel/ids";

/** A file that has no name any more: it is gone when it is closed, however the process ends. */
export type ReceivedFile = Awaited<ReturnType<typeof open>>;

/** Writes what comes into a file of the data folder. Close it. */
export async function receiveFile(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ file: ReceivedFile; size: number }> {
  const path = join(await ensureDataDir(env().DATA_DIR), newId("imp"));
  const file = await open(path, "wx+", 0o600);
  let size = 0;
  try {
    await rm(path);
    for await (const chunk of bytes) {
      await file.writeFile(chunk);
      size += chunk.length;
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  return { file, size };
}
