import { db, Prisma, type Tx } from "../db/client";

export interface Finding {
  rule: string;
  /** The account, instance, interval or movement that breaks it. */
  subject: string;
  detail: string;
}

export interface LedgerReport {
  ok: boolean;
  checked: { movements: number; balances: number; intervals: number; instances: number };
  /** At most a hundred a rule. */
  findings: Finding[];
  /** What each account holds over all movements, micro-units of USD; together zero. */
  sums: Record<"renter" | "escrow" | "host" | "fee" | "credit" | "payout", bigint>;
}

const MOST_FINDINGS = 100;
const TIMEOUT_MS = 600_000;

/**
 * Proves, in one snapshot, that the ledger, the balances and the meters say the same: each rule is a query for what
 * breaks it. Changes nothing.
 */
export function verifyLedger(timeoutMs = TIMEOUT_MS): Promise<LedgerReport> {
  return db().$transaction(
    async (tx) => {
      // The transaction's own time-out leaves the statement that runs running.
      await tx.$executeRaw`SELECT set_config('statement_timeout', ${String(timeoutMs)}, true)`;
      return readReport(tx);
    },
    {
      isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead,
      maxWait: 10_000,
      timeout: timeoutMs,
    },
  );
}

async function readReport(tx: Tx): Promise<LedgerReport> {
  const findings: Finding[] = [];
  for (const [rule, faults] of Object.entries(rules)) {
    const rows = await tx.$queryRaw<{ subject: string; detail: string }[]>(
      Prisma.sql`SELECT subject::text, detail FROM (${faults}) faults ORDER BY 1 LIMIT ${MOST_FINDINGS}`,
    );
    findings.push(...rows.map((row) => ({ rule, ...row })));
  }
  const [checked] = await tx.$queryRaw<LedgerReport["checked"][]>`
    SELECT (SELECT count(*) FROM ledger_movement)::int AS movements, (SELECT count(*) FROM balance)::int AS balances,
      (SELECT count(*) FROM meter_interval)::int AS intervals, (SELECT count(*) FROM instance)::int AS instances`;
  if (!checked) throw new Error("the ledger could not be counted");
  const [sums] = await tx.$queryRaw<LedgerReport["sums"][]>`
    SELECT coalesce(sum(renter_micro), 0)::bigint AS renter, coalesce(sum(escrow_micro), 0)::bigint AS escrow,
      coalesce(sum(host_micro), 0)::bigint AS host, coalesce(sum(fee_micro), 0)::bigint AS fee,
      coalesce(sum(credit_micro), 0)::bigint AS credit, coalesce(sum(payout_micro), 0)::bigint AS payout
    FROM ledger_movement`;
  if (!sums) throw new Error("the ledger could not be summed");
  return { ok: findings.length === 0, checked, findings, sums };
}

/** Rows of (subject, detail) that break the rule of that name. */
const rules: Record<string, Prisma.Sql> = {
  movement_sums_to_zero: Prisma.sql`
    SELECT id AS subject, 'its accounts do not sum to zero' AS detail FROM ledger_movement
    WHERE renter_micro + escrow_micro + host_micro + fee_micro + credit_micro + payout_micro <> 0`,

  balance_is_the_sum_of_its_movements: Prisma.sql`
    SELECT user_id AS subject, format('available %s, movements %s', coalesce(available_micro, 0), coalesce(micro, 0)) AS detail
    FROM balance FULL JOIN (
      SELECT user_id, sum(renter_micro) AS micro FROM ledger_movement WHERE renter_micro <> 0 GROUP BY user_id) sums USING (user_id)
    WHERE coalesce(available_micro, 0) <> coalesce(micro, 0)`,

  burn_is_the_sum_of_its_instances: Prisma.sql`
    SELECT user_id AS subject, format('burn %s, instances %s', coalesce(b.burn_micro, 0), coalesce(micro, 0)) AS detail
    FROM balance b FULL JOIN (SELECT user_id, sum(burn_micro) AS micro FROM instance GROUP BY user_id) sums USING (user_id)
    WHERE coalesce(b.burn_micro, 0) <> coalesce(micro, 0)`,

  escrow_holds_what_a_running_term_has_left: Prisma.sql`
    SELECT i.id AS subject, format('escrow %s, paid until %s', sums.micro, coalesce(i.prepaid_until::text, 'no time')) AS detail
    FROM instance i JOIN (
      SELECT instance_id, sum(escrow_micro) AS micro FROM ledger_movement GROUP BY instance_id) sums ON sums.instance_id = i.id
    WHERE sums.micro < 0 OR (i.prepaid_until IS NULL AND sums.micro <> 0)`,

  prepaid_is_paid_less_refunded: Prisma.sql`
    SELECT i.id AS subject, format('prepaid %s, movements %s', i.prepaid_micro, coalesce(sums.micro, 0)) AS detail
    FROM instance i LEFT JOIN (
      SELECT instance_id, -sum(renter_micro) AS micro FROM ledger_movement WHERE kind IN ('prepay', 'refund') GROUP BY instance_id
    ) sums ON sums.instance_id = i.id
    WHERE i.prepaid_micro <> coalesce(sums.micro, 0) OR i.prepaid_micro < 0`,

  payouts_within_what_was_earned: Prisma.sql`
    SELECT payee_id AS subject, format('%s more than was earned', -sum(host_micro)) AS detail FROM ledger_movement
    WHERE payee_id IS NOT NULL GROUP BY payee_id HAVING sum(host_micro) < 0`,

  intervals_are_disjoint: Prisma.sql`
    SELECT instance_id AS subject, format('interval %s begins before the one before it ends', id) AS detail FROM (
      SELECT id, instance_id, started_at, lag(coalesce(ended_at, 'infinity')) OVER (PARTITION BY instance_id ORDER BY started_at, id) AS before
      FROM meter_interval) neighbours WHERE before > started_at`,

  intervals_have_the_locked_rate: Prisma.sql`
    SELECT m.instance_id AS subject, format('interval %s has the rate %s', m.id, m.rate_micro) AS detail
    FROM meter_interval m JOIN instance i ON i.id = m.instance_id
    WHERE m.rate_micro <> CASE WHEN m.term IS NOT NULL THEN i.prepaid_rate_micro
      WHEN m.kind = 'running' THEN i.uptime_micro ELSE i.pause_micro END`,

  intervals_cost_rate_by_time: Prisma.sql`
    SELECT m.instance_id AS subject, format('interval %s was settled with %s until %s', m.id, m.settled_micro, m.settled_until) AS detail
    FROM meter_interval m
    WHERE m.settled_micro <> div(m.rate_micro * extract(epoch FROM m.settled_until - m.started_at), 3600)
      OR m.settled_until > m.ended_at OR (m.ended_at IS NOT NULL AND NOT (m.settled AND m.settled_until = m.ended_at))`,

  intervals_moved_what_they_cost: Prisma.sql`
    SELECT m.instance_id AS subject, format('interval %s settled %s, moved %s', m.id, m.settled_micro, coalesce(sums.micro, 0)) AS detail
    FROM meter_interval m JOIN instance i ON i.id = m.instance_id LEFT JOIN (
      SELECT interval_id, -sum(renter_micro + escrow_micro) AS micro, sum(fee_micro) AS fee FROM ledger_movement
      WHERE interval_id IS NOT NULL GROUP BY interval_id) sums ON sums.interval_id = m.id
    WHERE m.settled_micro <> coalesce(sums.micro, 0)
      OR coalesce(sums.fee, 0) <> m.settled_micro * i.fee_basis_points / 10000`,

  movements_belong_to_an_interval: Prisma.sql`
    SELECT l.id AS subject, 'settles an interval that is not there' AS detail FROM ledger_movement l
    LEFT JOIN meter_interval m ON m.id = l.interval_id AND m.instance_id = l.instance_id
    WHERE m.id IS NULL AND (l.interval_id IS NOT NULL OR l.kind = 'usage')`,

  meters_run_where_something_costs: Prisma.sql`
    SELECT i.id AS subject, format('%s, but its meter %s', i.status, CASE WHEN m.id IS NULL THEN 'stands' ELSE 'runs' END) AS detail
    FROM instance i LEFT JOIN meter_interval m ON m.instance_id = i.id AND m.ended_at IS NULL
    WHERE i.status <> 'rebooting' AND (m.id IS NOT NULL) <> (i.initialized_at IS NOT NULL AND i.silent_since IS NULL AND (
      i.status IN ('running', 'paused', 'error') OR (i.prepaid_until IS NOT NULL AND i.status <> 'destroyed')))`,
};
