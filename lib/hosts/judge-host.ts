import type { Verdict } from "../contract/operator";
import { inTransaction, Prisma } from "../db/client";
import { notFound } from "../kernel/errors";
import { hostIs, restateHosts } from "./restate-hosts";

const verdicts: Record<Verdict, Prisma.Sql> = {
  verify: Prisma.sql`verified_at = coalesce(verified_at, clock_timestamp())`,
  unverify: Prisma.sql`verified_at = NULL`,
  ban: Prisma.sql`banned_at = coalesce(banned_at, clock_timestamp())`,
  unban: Prisma.sql`banned_at = NULL`,
};

/**
 * An operator's word on anybody's host. A banned one is not rented again; what is rented of it goes on until its renter, or
 * the operator, ends it.
 * @throws DomainError not_found
 */
export async function judgeHost(hostId: string, verdict: Verdict): Promise<void> {
  await inTransaction(async (tx) => {
    const judged = await tx.$executeRaw`
      UPDATE host SET ${verdicts[verdict]}, updated_at = now() WHERE id = ${hostId} AND deleted_at IS NULL`;
    if (judged === 0) throw notFound("host");
    await restateHosts(tx, hostIs(hostId));
  });
}
