import type { Moment } from "../contract/moment";
import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { notFound } from "../kernel/errors";

/**
 * Refuses what is not one's own, or destroyed.
 * @returns now on the database's clock, in nanoseconds since 1970
 * @throws DomainError not_found
 */
export async function getOwnInstance(ctx: Ctx, instanceId: string): Promise<{ nowNs: bigint }> {
  const [row] = await db().$queryRaw<{ nowNs: bigint }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000000000)::bigint AS "nowNs" FROM instance
    WHERE id = ${instanceId} AND user_id = ${ctx.userId} AND status <> 'destroyed'`;
  if (!row) throw notFound("instance");
  return row;
}

/** An instant in nanoseconds since 1970. */
export function toNs(moment: Moment, { nowNs }: { nowNs: bigint }): bigint {
  if ("atNs" in moment) return moment.atNs;
  return moment.agoNs < nowNs ? nowNs - moment.agoNs : 0n;
}
