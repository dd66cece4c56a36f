import { type Scope, scopes } from "../contract/words";
import { db } from "../db/client";
import { parseToken, secretHashesEqual, TOKEN_LENGTH } from "../kernel/token";
import { isScope } from "./api-key-row";
import { auth } from "./auth";
import { type KnownKey, knowKey } from "./known-keys";

/** Who calls, and what the caller may do. */
export interface Caller {
  userId: string;
  roles: string[];
  scopes: ReadonlySet<Scope>;
  suspended: boolean;
  /** Signed in, in person; false for a key. */
  inBrowser: boolean;
}

const everyScope: ReadonlySet<Scope> = new Set(scopes);

/** The caller behind an API key; null where it is malformed, unknown, revoked or expired, as of a second ago at most. */
export async function authenticateKey(token: string): Promise<Caller | null> {
  if (token.length !== TOKEN_LENGTH) return null;
  const key = await knowKey(token, () => lookUpKey(token));
  if (!key) return null;
  if (key.isUnnoted) {
    key.isUnnoted = false;
    noteUse(key.id);
  }
  return key.caller;
}

async function lookUpKey(token: string): Promise<KnownKey | null> {
  const parsed = parseToken("ak", token);
  if (!parsed) return null;
  const { id, secretHash } = parsed;
  const [row] = await db().$queryRaw<
    {
      hash: Uint8Array;
      scopes: string[];
      userId: string;
      roles: string[];
      suspended: boolean;
      stale: boolean;
      expiresIn: number | null;
    }[]
  >`
    SELECT k.secret_hash AS hash, k.scopes, u.id AS "userId", u.roles, u.suspended_at IS NOT NULL AS suspended,
      k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS stale,
      extract(epoch FROM k.expires_at - clock_timestamp())::float8 * 1000 AS "expiresIn"
    FROM api_key k JOIN "user" u ON u.id = k.user_id
    WHERE k.id = ${id} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;
  if (!row || !secretHashesEqual(row.hash, secretHash)) return null;
  const { scopes, userId, roles, suspended } = row;
  const caller = { userId, roles, suspended, scopes: new Set(scopes.filter(isScope)), inBrowser: false };
  return { id, caller, isUnnoted: row.stale, expiresIn: row.expiresIn };
}

/** Nobody waits for it, and a lost note costs nothing. */
function noteUse(keyId: string): void {
  db().$executeRaw`UPDATE api_key SET last_used_at = now() WHERE id = ${keyId}`.catch(() => undefined);
}

/** The signed-in person of a browser, who may do everything that a key can be allowed; null without a session. */
export async function authenticateSession(headers: Headers): Promise<Caller | null> {
  const session = await findSession(headers);
  if (!session) return null;
  const user = await db().user.findUnique({
    where: { id: session.user.id },
    select: { id: true, roles: true, suspendedAt: true },
  });
  if (!user) return null;
  const suspended = user.suspendedAt !== null;
  return { userId: user.id, roles: user.roles, suspended, scopes: everyScope, inBrowser: true };
}

async function findSession(headers: Headers) {
  try {
    return await auth().api.getSession({ headers });
  } catch (error) {
    // It hides why it failed. A database that is away says so itself, and is then no fault of ours.
    await db().$queryRaw`SELECT 1`;
    throw error;
  }
}
