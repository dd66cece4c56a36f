import type { Command } from "commander";
import { example } from "./example";
import { parseList, wholeNumber } from "./options";
import { onMarket } from "./run-command";

interface CreateOptions {
  email: string;
  name: string;
  scopes?: string[];
  expiresInDays?: number;
}

export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("API keys of an account");
  key
    .command("create")
    .description("make a key; it is shown this once")
    .requiredOption("--email <email>", "whose key")
    .option("--name <name>", "what it is for", "cli")
    .option("--scopes <list>", "such as market:read,instances:write; absent: every scope", parseList)
    .option("--expires-in-days <days>", "absent: never", wholeNumber(1, 3650))
    .addHelpText("after", example("key create --email ada@example.com --name ci --scopes market:read"))
    .action(onMarket(createKey));
  key
    .command("list")
    .description("show an account's keys, without their secrets")
    .requiredOption("--email <email>", "whose keys")
    .addHelpText("after", example("key list --email ada@example.com"))
    .action(onMarket(listKeys));
  key
    .command("revoke")
    .description("end a key at once and for good")
    .argument("<key_id>", "of `key list`; the part of the key between ak- and _")
    .addHelpText("after", example("key revoke 4fQ9sXw2LbTz"))
    .action(onMarket(revokeKey));
}

async function createKey({ email, name, scopes, expiresInDays }: CreateOptions) {
  const { getAccountId } = await import("../lib/accounts/get-account-id");
  const { createApiKey } = await import("../lib/accounts/create-api-key");
  const userId = await getAccountId(email);
  const { id, apiKey } = await createApiKey({
    userId,
    name,
    scopes,
    expiresInDays,
  });
  return { key_id: id, api_key: apiKey };
}

async function listKeys({ email }: { email: string }) {
  const { getAccountId } = await import("../lib/accounts/get-account-id");
  const { listApiKeys } = await import("../lib/accounts/list-api-keys");
  const { items } = await listApiKeys(await getAccountId(email));
  return items.map((row) => ({
    key_id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
    revoked_at: row.revokedAt,
  }));
}

async function revokeKey(keyId: string) {
  const { revokeApiKey } = await import("../lib/accounts/revoke-api-key");
  await revokeApiKey(keyId);
  return { key_id: keyId, revoked: true };
}
