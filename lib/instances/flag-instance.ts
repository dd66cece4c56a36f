import { db, Prisma } from "../db/client";
import { notFound } from "../kernel/errors";

/**
 * An operator's mark on anybody's instance, for other operators; it does nothing to it. Again keeps since when.
 * @throws DomainError not_found, also for one that was destroyed
 */
export async function flagInstance(instanceId: string, flagged: boolean, note?: string): Promise<void> {
  const mark = flagged
    ? Prisma.sql`flagged_at = coalesce(flagged_at, clock_timestamp()), flag_note = ${note ?? null}`
    : Prisma.sql`flagged_at = NULL, flag_note = NULL`;
  const marked = await db().$executeRaw`
    UPDATE instance SET ${mark} WHERE id = ${instanceId} AND status <> 'destroyed'`;
  if (marked === 0) throw notFound("instance");
}
