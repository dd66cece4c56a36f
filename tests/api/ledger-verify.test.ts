import { Client } from "pg";
import { expect, it } from "vitest";
import { usedMicro } from "@/lib/billing/meter";
import { settleUsage } from "@/lib/billing/settle-usage";
import { verifyLedger } from "@/lib/billing/verify-ledger";
import { createSeededRandom } from "@/lib/catalogue/seeded-random";
import { closeDatabase, db, Prisma } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrator";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { makeAccount, makeOffer, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { useClock } from "../support/clock";
import { copyMigrations } from "../support/copy-migrations";
import { createTestDatabase } from "../support/postgres";
import { rent } from "../support/world";

useTestDatabase();
const clock = useClock();

async function makeRunning(body: object): Promise<string> {
  const { userId, key } = await makeAccount();
  const { offerId } = await makeOffer();
  const { templateId } = await makeTemplate(userId);
  return rent(key, { offer_id: offerId, template_id: templateId, ...body });
}

const rulesFound = async () => new Set((await verifyLedger()).findings.map(({ rule }) => rule));

/** What breaks each rule, done by somebody who may switch off the database's own. */
const faults: [rule: string, statement: string][] = [
  ["balance_is_the_sum_of_its_movements", "UPDATE balance SET available_micro = available_micro + 1"],
  ["burn_is_the_sum_of_its_instances", "UPDATE balance SET burn_micro = burn_micro + 1"],
  ["prepaid_is_paid_less_refunded", "UPDATE instance SET prepaid_micro = prepaid_micro + 1 WHERE terms = 1"],
  [
    "meters_run_where_something_costs",
    "UPDATE instance SET status = 'paused', initialized_at = NULL WHERE terms = 0",
  ],
  ["intervals_have_the_locked_rate", "UPDATE instance SET uptime_micro = uptime_micro + 1"],
  [
    "intervals_cost_rate_by_time",
    "UPDATE meter_interval SET settled_until = settled_until + interval '1 hour'",
  ],
  ["intervals_moved_what_they_cost", "UPDATE meter_interval SET settled_micro = settled_micro + 1"],
  ["escrow_holds_what_a_running_term_has_left", "UPDATE instance SET prepaid_until = NULL"],
  ["movements_belong_to_an_interval", "UPDATE ledger_movement SET interval_id = NULL WHERE kind = 'usage'"],
  [
    "payouts_within_what_was_earned",
    "INSERT INTO ledger_movement (cause, kind, payee_id, host_micro, payout_micro) VALUES ('p', 'payout', 'prov_x', -1, 1)",
  ],
  [
    "intervals_are_disjoint",
    `ALTER TABLE meter_interval DROP CONSTRAINT meter_interval_disjoint;
     UPDATE meter_interval SET instance_id = (SELECT min(id) FROM instance)`,
  ],
  [
    "movement_sums_to_zero",
    `ALTER TABLE ledger_movement DROP CONSTRAINT ledger_movement_sums_to_zero, DROP CONSTRAINT ledger_movement_kind_moves;
     UPDATE ledger_movement SET fee_micro = fee_micro + 1`,
  ],
];

it("LED-02 the verifier finds nothing in a sound ledger, and each fault by its rule", async () => {
  const fail = (error: unknown) => {
    throw error;
  };
  await makeRunning({});
  await makeRunning({ reserve_period: "week" });
  while ((await reconcileInstances(fail)) > 0);
  await clock.pass(3600);
  await settleUsage();
  expect(await verifyLedger()).toMatchObject({
    ok: true,
    findings: [],
    checked: { intervals: 2, instances: 2 },
  });
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    await client.query(`
      ALTER TABLE ledger_movement DISABLE TRIGGER USER;
      ALTER TABLE balance DISABLE TRIGGER USER`);
    for (const [rule, statement] of faults) {
      expect(await rulesFound(), `before ${rule}`).not.toContain(rule);
      await client.query(statement);
      expect(await rulesFound(), statement).toContain(rule);
    }
  } finally {
    await client.end();
  }
});

it("LED-03 a database from before the ledger gets one whose sums are its balances, and goes on in it", async () => {
  const database = await createTestDatabase({ empty: true });
  const old = await copyMigrations((name) => name < "20261121080000");
  await migrate(database.url, old);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const url = process.env.DATABASE_URL;
  try {
    await client.query(BEFORE_THE_LEDGER);
    await migrate(database.url);
    const { rows } = await client.query("SELECT user_id, available_micro FROM balance ORDER BY user_id");
    expect(rows).toEqual([
      { user_id: "u", available_micro: "3000000" },
      { user_id: "v", available_micro: "-250000" },
    ]);
    await closeDatabase();
    process.env.DATABASE_URL = database.url;
    await settleUsage();
    expect((await verifyLedger()).findings).toEqual([]);
    const sums = await client.query(
      "SELECT sum(escrow_micro)::text AS escrow, count(*)::int AS rows FROM ledger_movement",
    );
    expect(Number(sums.rows[0].escrow)).toBeGreaterThan(0);
  } finally {
    await closeDatabase();
    process.env.DATABASE_URL = url;
    await client.end();
    await database.drop();
  }
});

/** An account with an hourly instance that ran and runs, one with a prepaid term that runs, one of a term that has ended; another in debt. */
const BEFORE_THE_LEDGER = `
  INSERT INTO "user" (id, name, email) VALUES ('u', 'U', 'u@example.com'), ('v', 'V', 'v@example.com'), ('w', 'W', 'w@example.com');
  INSERT INTO balance (user_id, available_micro, burn_micro) VALUES ('u', 3000000, 500000), ('v', -250000, 500000);
  INSERT INTO provider (id, owner_id, name, translit_name, is_third_party) VALUES ('p', 'w', 'P', 'p', false);
  INSERT INTO host (id, user_id, runtime) VALUES ('h', 'w', 'simulated');
  INSERT INTO offer (id, provider_id, host_id, gpu_name, gpu_amount, price_micro, is_third_party, runtime, leased)
    VALUES ('o1', 'p', 'h', 'G', 1, 500000, false, 'simulated', true);
  INSERT INTO offer (id, provider_id, gpu_name, gpu_amount, is_third_party, runtime, catalogue_source, catalogue_key, price_micro, leased)
    SELECT 'o' || n, 'p', 'G', 1, true, 'simulated', 'file', n::text, 500000, true FROM generate_series(2, 4) n;
  INSERT INTO instance (id, user_id, offer_id, offer_snapshot, template_snapshot, storage_gb, price_micro, uptime_micro, pause_micro,
    runtime, status, initialized_at, burn_micro, reserve_period, prepaid_micro, prepaid_until)
  SELECT id, user_id, offer_id, '{}', '{}', 10, 500000, 500000, 125000, 'simulated', 'running', now() - interval '2 hours',
    CASE WHEN period = 'hour' OR NOT runs THEN 500000 ELSE 0 END, period, prepaid, CASE WHEN runs THEN now() + interval '22 hours' END
  FROM (VALUES ('i1', 'u', 'o1', 'hour', 0, false), ('i2', 'u', 'o2', 'day', 12000000, true), ('i4', 'v', 'o4', 'hour', 0, false))
    AS lives (id, user_id, offer_id, period, prepaid, runs);
  INSERT INTO instance (id, user_id, offer_id, offer_snapshot, template_snapshot, storage_gb, price_micro, uptime_micro, pause_micro,
    runtime, status, initialized_at, destroyed_at, holds_lease, reserve_period, prepaid_micro)
  VALUES ('i3', 'u', 'o3', '{}', '{}', 10, 500000, 500000, 125000, 'simulated', 'destroyed', now() - interval '3 days', now(), false,
    'day', 7000000);
  INSERT INTO meter_interval (instance_id, kind, prepaid, rate_micro, started_at, ended_at, settled_micro, settled) VALUES
    ('i1', 'paused', false, 125000, now() - interval '3 hours', now() - interval '2 hours', 125000, true),
    ('i1', 'running', false, 500000, now() - interval '2 hours', NULL, 777777, false),
    ('i2', 'paused', true, 0, now() - interval '2 hours', now() - interval '1 hour', 0, true),
    ('i2', 'running', true, 0, now() - interval '1 hour', NULL, 0, false),
    ('i3', 'running', true, 0, now() - interval '3 days', now() - interval '2 days', 0, true),
    ('i4', 'running', false, 500000, now() - interval '2 hours', NULL, 1000000, false);`;

it("LED-04 rate by time is rounded down to the micro-unit, whatever its digits", async () => {
  const random = createSeededRandom("rounding");
  const cases = Array.from({ length: 3000 }, () => ({
    rate: BigInt(1 + Math.floor(random.unit() * 10 ** random.pick([4, 6, 8, 10]))),
    us: BigInt(1 + Math.floor(random.unit() * 10 ** random.pick([6, 9, 12, 13]))),
  }));
  cases.push({ rate: 501_389n, us: 720_759_362_491n }, { rate: 3_600_013_889n, us: 1_976_124_991n });
  const start = Prisma.sql`timestamptz '2026-01-01T00:00:00Z'`;
  const used = usedMicro(Prisma.sql`rate`, start, Prisma.sql`(${start} + us * interval '1 microsecond')`);
  const rows = await db().$queryRaw<{ micro: bigint }[]>`
    SELECT ${used} AS micro FROM unnest(${cases.map(({ rate }) => rate)}::bigint[], ${cases.map(({ us }) => us)}::bigint[])
      WITH ORDINALITY AS given (rate, us, n) ORDER BY n`;
  expect(rows.map(({ micro }) => micro)).toEqual(cases.map(({ rate, us }) => (rate * us) / 3_600_000_000n));
});
