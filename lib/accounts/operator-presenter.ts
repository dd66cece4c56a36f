import type { z } from "zod";
import type { accountLink, operatorAccount } from "../contract/operator";
import { roles } from "../contract/words";
import { microToNumber } from "../kernel/money";
import type { AccountRow } from "./list-accounts";
import type { OneTimeLink } from "./make-sign-in-link";

export function presentAccount(row: AccountRow): z.output<typeof operatorAccount> {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    roles: roles.filter((role) => row.roles.includes(role)),
    created_at: row.createdAt.toISOString(),
    suspended_at: row.suspendedAt?.toISOString() ?? null,
    balance: microToNumber(row.balance?.availableMicro ?? 0n),
    instances_count: row._count.instances,
    hosts_count: row._count.hosts,
  };
}

export function presentLink({ url, expiresAt }: OneTimeLink): z.output<typeof accountLink> {
  return { url, expires_at: expiresAt.toISOString() };
}
