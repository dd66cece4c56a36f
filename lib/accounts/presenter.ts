import type { z } from "zod";
import type { account } from "../contract/account";
import type { apiKey, newApiKey } from "../contract/api-key";
import { roles, type Scope } from "../contract/words";
import { type ApiKeyRow, isScope, type NewApiKeyRow } from "./api-key-row";
import type { AccountRow } from "./get-account";

export function presentApiKey(row: ApiKeyRow): z.output<typeof apiKey> {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.filter(isScope),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
  };
}

export function presentNewApiKey(row: NewApiKeyRow): z.output<typeof newApiKey> {
  return { ...presentApiKey(row), api_key: row.apiKey };
}

/** @param scopes the caller's */
export function presentAccount(row: AccountRow, scopes: ReadonlySet<Scope>): z.output<typeof account> {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    roles: roles.filter((role) => row.roles.includes(role)),
    created_at: row.createdAt.toISOString(),
    scopes: [...scopes],
    has_password: row.credentials.length > 0,
  };
}
