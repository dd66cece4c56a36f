-- Hints to those who follow the market (lib/market/market-feed.ts). Sent at commit, one a statement: an import of thousands of
-- offers says `ids: null` once, because equal hints of a transaction are one. A statement's few offers are named.
CREATE FUNCTION "market_hint"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "ids" text[];
BEGIN
  SELECT array_agg("id") INTO "ids" FROM (SELECT "id" FROM "written" LIMIT 51) "w";
  IF "ids" IS NOT NULL THEN
    PERFORM pg_notify('berth_market', json_build_object('at', now(), 'ids', CASE WHEN cardinality("ids") <= 50 THEN to_json("ids") END)::text);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "market_hint_of_new" AFTER INSERT ON "offer"
  REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "market_hint"();
CREATE TRIGGER "market_hint_of_changed" AFTER UPDATE ON "offer"
  REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "market_hint"();
