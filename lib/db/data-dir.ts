import { mkdir, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { StartupError } from "./startup-error";

/**
 * Makes the data folder where it is absent (0700: it holds passwords and keys) and returns its real path, the same for
 * every way of naming it. Throws StartupError where the folder cannot be made or used.
 */
export async function ensureDataDir(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return await realpath(dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      `The data folder ${resolve(dataDir)} cannot be used (${reason}). Name another with DATA_DIR, or give this user access to it.`,
    );
  }
}
