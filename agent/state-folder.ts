import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rm, stat } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { type Wish, wish } from "../lib/contract/agent-protocol";
import { fingerprintOf, makeHostKey } from "./gateway/host-key";
import { StartError } from "./start-error";

const identity = z.object({
  /** Which market it has joined; a secret goes to no other. */
  market: z.string(),
  agentId: z.string(),
  /** Where renters are told to go. */
  address: z.string(),
  secret: z.string(),
});
export type Identity = z.output<typeof identity>;

/** What an agent keeps: who it is, its SSH host key, and what was last wanted of it. All of it 0600 in a folder 0700. */
export interface StateFolder {
  path: string;
  hostKey: string;
  fingerprint: string;
  /** For what has to be the same after each restart and be guessed by nobody. */
  tokenKey: Buffer;
  identity(): Identity | null;
  keepIdentity(identity: Identity): Promise<void>;
  /** What was wanted when it last heard; null where it has never heard. */
  readWishes(): Promise<Wish[] | null>;
  keepWishes(wishes: Wish[]): Promise<void>;
  /** Lets another agent have the folder. */
  release(): Promise<void>;
}

/**
 * Opens a state folder, made where it is not there.
 * @throws StartError where another agent uses it, or a file in it is damaged
 */
export async function openStateFolder(path: string): Promise<StateFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700); // it may have been there
  const lock = await takeFolder(path);
  try {
    const hostKey = await keepOnce(join(path, "ssh_host_ed25519_key"), () => makeHostKey().privateKey);
    const tokenKey = await keepOnce(join(path, "token_key"), () => randomBytes(32).toString("base64"));
    let known = await readJson(join(path, "agent.json"), identity);
    return {
      path,
      hostKey,
      fingerprint: fingerprintOf(hostKey),
      tokenKey: Buffer.from(tokenKey, "base64"),
      identity: () => known,
      async keepIdentity(next) {
        await write(join(path, "agent.json"), JSON.stringify(next));
        known = next;
      },
      readWishes: () => readJson(join(path, "wishes.json"), z.array(wish)),
      keepWishes: (wishes) => write(join(path, "wishes.json"), JSON.stringify(wishes)),
      release: () => new Promise((resolve) => lock.close(() => resolve())),
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

function write(file: string, text: string): Promise<void> {
  return writeFileAtomic(file, text, { mode: 0o600 });
}

async function keepOnce(file: string, make: () => string): Promise<string> {
  const kept = await readIfThere(file);
  if (kept) return kept;
  const made = make();
  await write(file, made);
  return made;
}

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readIfThere(file);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new StartError(
      `${file} is damaged. Remove it; the machine then has to join anew, with a host token.`,
    );
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * One agent a folder: two would start everything twice. A socket's name is taken by one process and freed with it, also by
 * a kill -9; Linux has names without files, which nobody can leave behind.
 */
async function takeFolder(path: string): Promise<Server> {
  const { dev, ino } = await stat(path);
  const isLinux = process.platform === "linux";
  const name = isLinux ? `\0berth-agent-${dev}-${ino}` : join(path, "agent.lock");
  const taken = await listenOn(name);
  if (taken) return taken;
  if (!isLinux && !(await isAnswered(name))) {
    await rm(name, { force: true });
    const again = await listenOn(name);
    if (again) return again;
  }
  throw new StartError(
    `Another agent uses the folder ${path}. Stop it first, or start this one with another --data-dir.`,
  );
}

function listenOn(name: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.end());
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(null);
      else reject(error);
    });
    server.listen(name, () => {
      server.unref();
      resolve(server);
    });
  });
}

function isAnswered(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(name);
    client.once("connect", () => {
      client.destroy();
      resolve(true);
    });
    client.once("error", () => resolve(false));
  });
}
