import { createHash, timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import ssh2, { type AuthContext, type Connection, type ParsedKey, type PublicKeyAuthContext } from "ssh2";
import type { Door } from "./door";
import { fingerprintOfKey } from "./host-key";

/** As sshd's MaxAuthTries; the asking for methods that each client begins with is not counted. */
const MOST_TRIES = 6;
const METHODS = ["publickey" as const];

/**
 * Lets in who holds the private half of one of the door's keys, under the door's user name, and nobody else.
 * An unknown name is asked the same questions and gets the same answers as a wrong key.
 */
export function guardLogin(client: Connection, door: () => Door, log: Logger): void {
  let tries = 0;
  client.on("authentication", (context) => {
    if (context.method !== "none" && ++tries > MOST_TRIES) {
      client.end();
      return;
    }
    decide(context, door(), log).catch((error: unknown) => {
      log.warn({ instanceId: door().instanceId, err: error }, "keys could not be had: nobody is let in");
      context.reject(METHODS);
    });
  });
}

async function decide(context: AuthContext, door: Door, log: Logger): Promise<void> {
  if (context.method !== "publickey") {
    context.reject(METHODS);
    return;
  }
  const key = findKey(await door.keys(), context);
  const named = digestsEqual(Buffer.from(context.username), Buffer.from(door.username));
  if (key === null || !named || !isProven(key, context)) {
    context.reject(METHODS);
    return;
  }
  if (context.signature) log.info({ instanceId: door.instanceId, key: fingerprintOfKey(key) }, "login");
  context.accept();
}

function findKey(lines: string[], context: PublicKeyAuthContext): ParsedKey | null {
  let found: ParsedKey | null = null;
  for (const line of lines) {
    const parsed = ssh2.utils.parseKey(line);
    const key = Array.isArray(parsed) ? parsed[0] : parsed;
    if (key instanceof Error || key.isPrivateKey() || key.type === "ssh-dss") continue;
    if (digestsEqual(key.getPublicSSH(), context.key.data) && key.type === context.key.algo) found = key;
  }
  return found;
}

/** A query proves nothing yet; a signature by RSA with SHA-1, which is where ssh2 names no hash, is none. */
function isProven(key: ParsedKey, context: PublicKeyAuthContext): boolean {
  if (key.type === "ssh-rsa" && context.hashAlgo === undefined) return false;
  if (!context.signature || !context.blob) return true;
  // `verify` gives an Error, which is truthy, for a signature that cannot be read.
  return key.verify(context.blob, context.signature, context.hashAlgo) === true;
}

function digestsEqual(left: Buffer, right: Buffer): boolean {
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest();
  return timingSafeEqual(digest(left), digest(right));
}
