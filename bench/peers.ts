import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { StartupError } from "../lib/db/startup-error";

/** Installs what Berth is set beside, from the lock file, where it is not there. */
export async function installPeers(): Promise<void> {
  const folder = import.meta.dirname;
  if (existsSync(join(folder, "node_modules", "fastify"))) return;
  process.stderr.write("Installing what Berth is set beside …\n");
  // As in scripts/prepare.mjs: `npm ci` wants every platform's packages in the lock file, this does not.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = spawn("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(npm, "exit");
  if (code !== 0) throw new StartupError("npm could not install the packages of bench/package.json.");
}
