import type { z } from "zod";
import type { apiKey, newApiKey } from "../contract/api-key";
import { type ApiKeyRow, isScope, type NewApiKeyRow } from "./api-key-row";

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
