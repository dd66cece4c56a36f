-- Hints whose events were written to those who follow them (lib/events/event-hints.ts). Sent at commit, once a transaction
-- and account; nobody depends on one.
CREATE FUNCTION "event_hint"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('berth_event', "user_id") FROM (SELECT DISTINCT "user_id" FROM "written") "w";
  RETURN NULL;
END $$;
CREATE TRIGGER "event_hint" AFTER INSERT ON "event"
  REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "event_hint"();
