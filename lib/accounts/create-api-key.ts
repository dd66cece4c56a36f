import { scopes as everyScope, type Scope } from "../contract/operation";
import { db } from "../db/client";
import { invalidField, notFound } from "../kernel/errors";
import { makeToken } from "../kernel/token";

interface NewKey {
  userId: string;
  name: string;
  /** Absent: every scope. */
  scopes?: readonly string[];
  /** Absent: never. */
  expiresInDays?: number;
}

const LONGEST_NAME = 100;
const MOST_DAYS = 3650;

/**
 * A new key of an account. `apiKey` is shown this once.
 * @throws ValidationError for a name, scope or expiry that cannot be used
 * @throws DomainError not_found for an unknown account
 */
export async function createApiKey(wish: NewKey): Promise<{ keyId: string; apiKey: string }> {
  const name = wish.name.trim();
  if (name.length === 0 || name.length > LONGEST_NAME || /\p{Cc}/u.test(name)) {
    throw invalidField(["body", "name"], `Must have 1 to ${LONGEST_NAME} printable characters`);
  }
  const scopes: Scope[] = everyScope.filter((scope) => wish.scopes?.includes(scope) ?? true);
  if (wish.scopes && scopes.length !== new Set(wish.scopes).size) {
    throw invalidField(["body", "scopes"], `Must be of ${everyScope.join(", ")}`);
  }
  const days = wish.expiresInDays ?? null;
  if (days !== null && !(days > 0 && days <= MOST_DAYS)) {
    throw invalidField(["body", "expires_in_days"], `Must be above 0 and at most ${MOST_DAYS}`);
  }
  const { id, token, secretHash } = makeToken("ak");
  const added = await db().$executeRaw`
    INSERT INTO api_key (id, user_id, name, secret_hash, scopes, expires_at)
    SELECT ${id}, u.id, ${name}, ${new Uint8Array(secretHash)}, ${scopes},
      now() + ${days}::float8 * interval '1 day'
    FROM "user" u WHERE u.id = ${wish.userId}`;
  if (added === 0) throw notFound("account");
  return { keyId: id, apiKey: token };
}
