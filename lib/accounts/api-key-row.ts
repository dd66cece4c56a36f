import { type Scope, scopes } from "../contract/words";
import { Prisma } from "../db/client";
import { DomainError } from "../kernel/errors";

/** A key without its secret, which nobody has but its owner. */
export interface ApiKeyRow {
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** A key that was just made. */
export interface NewApiKeyRow extends ApiKeyRow {
  /** The key itself, shown this once. */
  apiKey: string;
}

/** The columns of an `ApiKeyRow`. */
export const apiKeyColumns = Prisma.sql`id, name, scopes, created_at AS "createdAt", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`;

export function isScope(value: string): value is Scope {
  return scopes.some((scope) => scope === value);
}

/**
 * A key gives no other key more than it has itself.
 * @throws DomainError scope_missing
 */
export function requireScopesWithin(given: readonly string[], own: ReadonlySet<Scope>): void {
  const lacking = given.filter((scope) => isScope(scope) && !own.has(scope));
  if (lacking.length === 0) return;
  throw new DomainError(
    "scope_missing",
    `This key lacks ${lacking.join(", ")} and cannot give what it has not. Use a key that has it, or a signed-in browser.`,
  );
}
