import { scopes as everyScope, type Scope } from "../contract/words";
import { db } from "../db/client";
import { invalidField, notFound } from "../kernel/errors";
import { makeToken } from "../kernel/token";
import { type ApiKeyRow, apiKeyColumns, type NewApiKeyRow, requireScopesWithin } from "./api-key-row";

interface NewKey {
  userId: string;
  name: string;
  /** Absent: all of `within` that the account's roles can use. */
  scopes?: readonly string[] | undefined;
  /** Absent: never. */
  expiresInDays?: number | undefined;
  /** What the caller may do; the key may do no more. Absent: an operator's word, for every scope. */
  within?: ReadonlySet<Scope>;
}

const LONGEST_NAME = 100;
const MOST_DAYS = 3650;

/**
 * A new key of an account. `apiKey` is shown this once.
 * @throws ValidationError for a name, scope or expiry that cannot be used
 * @throws DomainError scope_missing · not_found for an unknown account
 */
export async function createApiKey(wish: NewKey): Promise<NewApiKeyRow> {
  const { within = new Set(everyScope) } = wish;
  const name = wish.name.trim();
  if (name.length === 0 || name.length > LONGEST_NAME || /\p{Cc}/u.test(name)) {
    throw invalidField(["body", "name"], `Must have 1 to ${LONGEST_NAME} printable characters`);
  }
  const scopes: Scope[] = everyScope.filter((scope) => wish.scopes?.includes(scope) ?? within.has(scope));
  if (wish.scopes && scopes.length !== new Set(wish.scopes).size) {
    throw invalidField(["body", "scopes"], `Must be of ${everyScope.join(", ")}`);
  }
  const days = wish.expiresInDays ?? null;
  if (days !== null && !(days > 0 && days <= MOST_DAYS)) {
    throw invalidField(["body", "expires_in_days"], `Must be above 0 and at most ${MOST_DAYS}`);
  }
  requireScopesWithin(scopes, within);
  const { id, token, secretHash } = makeToken("ak");
  const [made] = await db().$queryRaw<ApiKeyRow[]>`
    INSERT INTO api_key (id, user_id, name, secret_hash, scopes, expires_at)
    SELECT ${id}, u.id, ${name}, ${new Uint8Array(secretHash)},
      CASE WHEN ${wish.scopes !== undefined} OR 'operator' = ANY(u.roles) THEN ${scopes}::text[]
        ELSE ${scopes.filter((scope) => !scope.startsWith("operator:"))}::text[] END,
      now() + ${days}::float8 * interval '1 day'
    FROM "user" u WHERE u.id = ${wish.userId}
    RETURNING ${apiKeyColumns}`;
  if (!made) throw notFound("account");
  return { ...made, apiKey: token };
}
