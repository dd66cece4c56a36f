-- AlterTable
ALTER TABLE "offer" ADD COLUMN "changed_xid" BIGINT NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "offer_changed_xid_idx" ON "offer"("changed_xid");

-- The transaction that last wrote the row. The search of a node reads what changed since by it (lib/market/index/follow-offers.ts):
-- the order of commit is not the order of any sequence, but a transaction below pg_snapshot_xmin() has ended.
CREATE FUNCTION "offer_mark_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."changed_xid" := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;
CREATE TRIGGER "offer_mark_changed" BEFORE INSERT OR UPDATE ON "offer"
  FOR EACH ROW EXECUTE FUNCTION "offer_mark_changed"();

-- An answer of the search shows these of other tables too.
CREATE FUNCTION "offer_follow_host"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "offer" SET "changed_xid" = 0 WHERE "host_id" = NEW."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "offer_follow_host" AFTER UPDATE OF "verified_at" ON "host"
  FOR EACH ROW WHEN (OLD."verified_at" IS DISTINCT FROM NEW."verified_at") EXECUTE FUNCTION "offer_follow_host"();
CREATE FUNCTION "offer_follow_provider"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "offer" SET "changed_xid" = 0 WHERE "provider_id" = NEW."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "offer_follow_provider" AFTER UPDATE OF "name", "translit_name" ON "provider"
  FOR EACH ROW WHEN (OLD."name" IS DISTINCT FROM NEW."name" OR OLD."translit_name" IS DISTINCT FROM NEW."translit_name")
  EXECUTE FUNCTION "offer_follow_provider"();
