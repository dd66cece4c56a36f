-- AlterTable
ALTER TABLE "offer" ADD COLUMN "changed_xid" xid8 NOT NULL DEFAULT pg_current_xact_id();

-- CreateIndex
CREATE INDEX "offer_changed_xid_idx" ON "offer"("changed_xid");

-- The transaction that last wrote the row. The search of a node reads what changed since by it (lib/market/index/offer-rows.ts):
-- the order of commit is not the order of any sequence, but a transaction below pg_snapshot_xmin() has ended. A backup leaves
-- the column out, as every xid8: in another cluster its numbers mean nothing.
CREATE FUNCTION "offer_mark_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."changed_xid" := pg_current_xact_id();
  RETURN NEW;
END $$;
CREATE TRIGGER "offer_mark_changed" BEFORE UPDATE ON "offer"
  FOR EACH ROW EXECUTE FUNCTION "offer_mark_changed"();

-- An answer of the search shows whether the host is verified.
CREATE FUNCTION "offer_follow_host"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "offer" SET "changed_xid" = pg_current_xact_id() WHERE "host_id" = NEW."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "offer_follow_host" AFTER UPDATE OF "verified_at" ON "host"
  FOR EACH ROW WHEN (OLD."verified_at" IS DISTINCT FROM NEW."verified_at") EXECUTE FUNCTION "offer_follow_host"();
