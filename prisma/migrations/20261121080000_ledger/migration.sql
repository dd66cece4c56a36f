-- DropIndex
DROP INDEX "event_user_id_id_idx";

-- CreateIndex
CREATE INDEX "event_user_id_xact_id_idx" ON "event"("user_id", "xact", "id");

-- AlterTable
ALTER TABLE "balance" ADD COLUMN "stage" TEXT NOT NULL DEFAULT 'fine',
ADD COLUMN "grace_micro" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "balance"
  ADD CONSTRAINT "balance_grace_not_negative" CHECK ("grace_micro" >= 0),
  ADD CONSTRAINT "balance_stage_known" CHECK ("stage" IN ('fine', 'low', 'empty', 'over')),
  ADD CONSTRAINT "balance_available_range" CHECK ("available_micro" BETWEEN -9000000000000000 AND 9000000000000000);

-- AlterTable
ALTER TABLE "instance" ADD COLUMN "fee_basis_points" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "host_id" TEXT,
ADD COLUMN "payee_id" TEXT,
ADD COLUMN "prepaid_rate_micro" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "silent_since" TIMESTAMPTZ(6),
ADD COLUMN "terms" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "warned_term" INTEGER NOT NULL DEFAULT 0;

UPDATE "instance" i SET "host_id" = o."host_id", "payee_id" = coalesce(h."user_id", p."owner_id", p."id")
FROM "offer" o JOIN "provider" p ON p."id" = o."provider_id" LEFT JOIN "host" h ON h."id" = o."host_id"
WHERE o."id" = i."offer_id";

-- A term that runs is billed anew from its beginning, out of escrow.
UPDATE "instance" SET "terms" = 1, "prepaid_rate_micro" = round("price_micro" * (CASE "reserve_period"
  WHEN 'week' THEN 0.95 WHEN 'month' THEN 0.8 WHEN 'quarter' THEN 0.7 WHEN 'half_year' THEN 0.6 WHEN 'year' THEN 0.6 ELSE 1 END))
WHERE "prepaid_until" IS NOT NULL;

ALTER TABLE "instance" ALTER COLUMN "payee_id" SET NOT NULL;
ALTER TABLE "instance"
  ADD CONSTRAINT "instance_fee_range" CHECK ("fee_basis_points" BETWEEN 0 AND 10000),
  ADD CONSTRAINT "instance_prepaid_whole" CHECK ("prepaid_rate_micro" >= 0 AND "terms" >= 0 AND "warned_term" BETWEEN 0 AND "terms"
    AND ("prepaid_until" IS NULL OR ("terms" > 0 AND "prepaid_rate_micro" > 0)));

-- CreateIndex
CREATE INDEX "instance_host_id_idx" ON "instance"("host_id");

-- AddForeignKey
ALTER TABLE "instance" ADD CONSTRAINT "instance_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AlterTable
ALTER TABLE "meter_interval" ADD COLUMN "settled_until" TIMESTAMPTZ(6), ADD COLUMN "term" INTEGER;

UPDATE "meter_interval" m SET "term" = 1, "rate_micro" = i."prepaid_rate_micro",
  "settled_until" = CASE WHEN i."prepaid_until" IS NULL AND m."settled" THEN m."ended_at" ELSE m."started_at" END,
  "settled" = m."settled" AND i."prepaid_until" IS NULL
FROM "instance" i WHERE i."id" = m."instance_id" AND m."prepaid";
UPDATE "meter_interval" SET "settled_until" = CASE
  WHEN "settled" THEN "ended_at"
  WHEN "settled_micro" = 0 OR "rate_micro" = 0 THEN "started_at"
  ELSE "started_at" + ceil("settled_micro" * 3600000000.0 / "rate_micro") * interval '1 microsecond' END
WHERE "settled_until" IS NULL;

ALTER TABLE "meter_interval" DROP COLUMN "prepaid", ALTER COLUMN "settled_until" SET NOT NULL;
ALTER TABLE "meter_interval"
  ADD CONSTRAINT "meter_interval_term_counts" CHECK ("term" > 0),
  ADD CONSTRAINT "meter_interval_settled_within" CHECK ("settled_until" >= "started_at");

-- CreateTable
CREATE TABLE "ledger_movement" (
    "id" BIGSERIAL NOT NULL,
    "cause" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "user_id" TEXT,
    "payee_id" TEXT,
    "host_id" TEXT,
    "instance_id" TEXT,
    "interval_id" BIGINT,
    "day" DATE NOT NULL DEFAULT ((clock_timestamp() AT TIME ZONE 'UTC'))::date,
    "reference" TEXT,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "renter_micro" BIGINT NOT NULL DEFAULT 0,
    "escrow_micro" BIGINT NOT NULL DEFAULT 0,
    "host_micro" BIGINT NOT NULL DEFAULT 0,
    "fee_micro" BIGINT NOT NULL DEFAULT 0,
    "credit_micro" BIGINT NOT NULL DEFAULT 0,
    "payout_micro" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "ledger_movement_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ledger_movement_cause_key" ON "ledger_movement"("cause");

-- CreateIndex
CREATE INDEX "ledger_movement_user_id_id_idx" ON "ledger_movement"("user_id", "id");

-- CreateIndex
CREATE INDEX "ledger_movement_payee_id_id_idx" ON "ledger_movement"("payee_id", "id");

-- CreateIndex
CREATE INDEX "ledger_movement_host_id_day_idx" ON "ledger_movement"("host_id", "day");

-- CreateIndex
CREATE INDEX "ledger_movement_instance_id_id_idx" ON "ledger_movement"("instance_id", "id");

-- AddForeignKey
ALTER TABLE "ledger_movement" ADD CONSTRAINT "ledger_movement_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "ledger_movement" ADD CONSTRAINT "ledger_movement_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Every movement sums to zero, and each kind moves only between the accounts that it may.
ALTER TABLE "ledger_movement"
  ADD CONSTRAINT "ledger_movement_sums_to_zero" CHECK
    ("renter_micro" + "escrow_micro" + "host_micro" + "fee_micro" + "credit_micro" + "payout_micro" = 0),
  ADD CONSTRAINT "ledger_movement_kind_moves" CHECK (CASE "kind"
    WHEN 'credit' THEN "renter_micro" > 0 AND "credit_micro" = - "renter_micro"
    WHEN 'debit' THEN "renter_micro" < 0 AND "credit_micro" = - "renter_micro"
    WHEN 'usage' THEN "renter_micro" < 0 AND "host_micro" >= 0 AND "fee_micro" >= 0 AND "host_micro" + "fee_micro" = - "renter_micro"
    WHEN 'prepay' THEN "renter_micro" < 0 AND "escrow_micro" = - "renter_micro"
    WHEN 'accrual' THEN "escrow_micro" < 0 AND "host_micro" >= 0 AND "fee_micro" >= 0 AND "host_micro" + "fee_micro" = - "escrow_micro"
    WHEN 'refund' THEN "renter_micro" > 0 AND "escrow_micro" = - "renter_micro"
    WHEN 'payout' THEN "host_micro" < 0 AND "payout_micro" = - "host_micro"
    ELSE false END),
  ADD CONSTRAINT "ledger_movement_owners_known" CHECK (
    (("renter_micro" = 0 AND "escrow_micro" = 0) OR "user_id" IS NOT NULL)
    AND ("host_micro" = 0 OR "payee_id" IS NOT NULL)
    AND ("escrow_micro" = 0 OR "instance_id" IS NOT NULL));

-- The ledger is only ever added to.
CREATE FUNCTION "ledger_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: % is refused; correct a movement by another one', lower(TG_OP);
END $$;
CREATE TRIGGER "ledger_append_only" BEFORE UPDATE OR DELETE ON "ledger_movement"
  FOR EACH ROW EXECUTE FUNCTION "ledger_refuse_change"();
CREATE TRIGGER "ledger_never_emptied" BEFORE TRUNCATE ON "ledger_movement"
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_change"();

-- A balance changes by movements and by nothing else, in their transaction. In the order of ids, so that two that
-- change several never wait for each other.
CREATE FUNCTION "ledger_move_balances"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "balance" AS b ("user_id", "available_micro")
  SELECT "user_id", sum("renter_micro") FROM "moved" WHERE "renter_micro" <> 0 GROUP BY "user_id" ORDER BY "user_id"
  ON CONFLICT ("user_id") DO UPDATE SET "available_micro" = b."available_micro" + excluded."available_micro";
  RETURN NULL;
END $$;
CREATE TRIGGER "ledger_moves_balances" AFTER INSERT ON "ledger_movement"
  REFERENCING NEW TABLE AS "moved" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_move_balances"();

CREATE FUNCTION "balance_follows_ledger"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Called by a statement of the ledger's trigger, this one runs at depth 2.
  IF pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'a balance changes by ledger movements only';
  END IF;
  RETURN NEW;
END $$;

-- What was there before the ledger: what every interval has cost, what was paid ahead, and the credit that it came from.
INSERT INTO "ledger_movement" ("cause", "kind", "user_id", "renter_micro", "credit_micro", "reference")
SELECT 'opening:' || "user_id", 'credit', "user_id", "micro", - "micro", 'before the ledger' FROM (
  SELECT u."id" AS "user_id",
    coalesce((SELECT "available_micro" FROM "balance" WHERE "user_id" = u."id"), 0)
    + coalesce((SELECT sum("prepaid_micro") FROM "instance" WHERE "user_id" = u."id"), 0)
    + coalesce((SELECT sum(m."settled_micro") FROM "meter_interval" m JOIN "instance" i ON i."id" = m."instance_id"
        WHERE i."user_id" = u."id"), 0) AS "micro"
  FROM "user" u) openings WHERE "micro" > 0;
INSERT INTO "ledger_movement" ("cause", "kind", "user_id", "payee_id", "host_id", "instance_id", "interval_id", "renter_micro", "host_micro")
SELECT 'opening:' || m."id", 'usage', i."user_id", i."payee_id", i."host_id", i."id", m."id", - m."settled_micro", m."settled_micro"
FROM "meter_interval" m JOIN "instance" i ON i."id" = m."instance_id" WHERE m."settled_micro" > 0 ORDER BY m."id";
INSERT INTO "ledger_movement" ("cause", "kind", "user_id", "payee_id", "instance_id", "renter_micro", "escrow_micro")
SELECT 'prepay:' || "id" || ':1', 'prepay', "user_id", "payee_id", "id", - "prepaid_micro", "prepaid_micro"
FROM "instance" WHERE "prepaid_micro" > 0;
INSERT INTO "ledger_movement" ("cause", "kind", "user_id", "payee_id", "host_id", "instance_id", "escrow_micro", "host_micro")
SELECT 'opening:' || "id", 'accrual', "user_id", "payee_id", "host_id", "id", - "prepaid_micro", "prepaid_micro"
FROM "instance" WHERE "prepaid_micro" > 0 AND "prepaid_until" IS NULL;

-- The movements above were added to balances that counted them already. One below zero keeps what it owes as a debit.
UPDATE "balance" b SET "available_micro" = s."micro" FROM (
  SELECT "user_id", sum("renter_micro") AS "micro" FROM "ledger_movement" GROUP BY "user_id") s WHERE s."user_id" = b."user_id";

CREATE TRIGGER "balance_follows_ledger" BEFORE UPDATE OF "available_micro" ON "balance" FOR EACH ROW
  WHEN (OLD."available_micro" IS DISTINCT FROM NEW."available_micro") EXECUTE FUNCTION "balance_follows_ledger"();
CREATE TRIGGER "balance_begins_empty" BEFORE INSERT ON "balance" FOR EACH ROW
  WHEN (NEW."available_micro" <> 0) EXECUTE FUNCTION "balance_follows_ledger"();
