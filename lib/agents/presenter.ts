import type { z } from "zod";
import type { hostToken, newHostToken } from "../contract/host-token";
import type { HostTokenRow } from "./list-host-tokens";

export function presentHostToken(row: HostTokenRow): z.output<typeof hostToken> {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    used_at: row.usedAt?.toISOString() ?? null,
    agent_id: row.agentId,
    hosts: row.hostIds,
    status: row.status,
  };
}

/** @param market the address that the machine reaches the market by */
export function presentNewHostToken(
  { id, token, expiresAt }: { id: string; token: string; expiresAt: Date },
  market: string,
): z.output<typeof newHostToken> {
  return { id, token, expires_at: expiresAt.toISOString(), command: joinCommand(token, market) };
}

/** By a pipe from the shell itself: neither arguments nor the environment of a program show the token. */
function joinCommand(token: string, market: string): string {
  return `printf %s ${token} | npm run -s agent -- --server ${quote(market)} --token-file -`;
}

/** As one word of a shell. */
function quote(word: string): string {
  return /^[\w.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
