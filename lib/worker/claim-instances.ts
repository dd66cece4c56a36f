import { db } from "../db/client";

/** How long a worker has an instance to itself; one that was killed is replaced after that. */
const CLAIM_SECONDS = 10;
const MOST_AT_ONCE = 50;

/** An instance as it was when it was claimed. */
export interface Claim {
  id: string;
  token: bigint;
  /** The claim's end, to the microsecond; a verb that wants the instance looked at sooner changes it. */
  due: string;
  status: string;
  wanted: string;
  wantedBoot: number;
  runtime: string;
  storageGb: number;
  templateSnapshot: unknown;
  /** Pending for longer than the setting allows. */
  overdue: boolean;
}

/** Takes instances that are due, each for one worker. The token fences off whoever had it before. */
export function claimInstances(pendingMinutes: number): Promise<Claim[]> {
  return db().$queryRaw<Claim[]>`
    UPDATE instance i SET claim_token = claim_token + 1, due_at = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}::int)
    WHERE id IN (
      SELECT id FROM instance WHERE due_at <= clock_timestamp()
      ORDER BY due_at LIMIT ${MOST_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING i.id, i.claim_token AS token, i.due_at::text AS due, i.status, i.wanted, i.wanted_boot AS "wantedBoot", i.runtime,
      i.storage_gb AS "storageGb",
      i.template_snapshot AS "templateSnapshot",
      i.status = 'pending' AND i.status_changed_at < now() - make_interval(mins => ${pendingMinutes}::int) AS overdue`;
}

/** Milliseconds until the next instance is due; null where none waits. */
export async function nextDueInMs(): Promise<number | null> {
  const [row] = await db().$queryRaw<{ ms: number | null }[]>`
    SELECT extract(epoch FROM min(due_at) - clock_timestamp())::float8 * 1000 AS ms FROM instance WHERE due_at IS NOT NULL`;
  return row?.ms ?? null;
}
