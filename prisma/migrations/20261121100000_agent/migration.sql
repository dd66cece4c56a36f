-- AlterTable
ALTER TABLE "host" ADD COLUMN     "banned_at" TIMESTAMPTZ(6),
ADD COLUMN     "slot" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "agent" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "previous_secret_hash" BYTEA,
    "secret_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(6),
    "address" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "first_port" INTEGER NOT NULL,
    "last_port" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "engine" TEXT NOT NULL,
    "engine_available" BOOLEAN NOT NULL DEFAULT true,
    "egress_guarded" BOOLEAN NOT NULL DEFAULT false,
    "failures" JSONB NOT NULL DEFAULT '[]',
    "reachable" BOOLEAN,
    "reach_due_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reach_problem" TEXT,
    "report_number" DOUBLE PRECISION,
    "joined_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "host_token" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),
    "agent_id" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "host_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "host_container" (
    "instance_id" TEXT NOT NULL,
    "host_id" TEXT NOT NULL,
    "boot" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "message" TEXT,
    "container_id" TEXT,
    "address" TEXT,
    "ssh_port" INTEGER,
    "ports" JSONB NOT NULL DEFAULT '{}',
    "ui_url" TEXT,
    "reported_at" TIMESTAMPTZ(6),

    CONSTRAINT "host_container_pkey" PRIMARY KEY ("instance_id")
);

-- CreateTable
CREATE TABLE "instance_log" (
    "id" BIGSERIAL NOT NULL,
    "instance_id" TEXT NOT NULL,
    "at_ns" BIGINT NOT NULL,
    "stream" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "instance_metric" (
    "instance_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "gpu_util" DOUBLE PRECISION NOT NULL,
    "cpu_util" DOUBLE PRECISION NOT NULL,
    "ram_util" DOUBLE PRECISION NOT NULL,
    "mem_util" DOUBLE PRECISION NOT NULL,
    "inet_in" BIGINT NOT NULL,
    "inet_out" BIGINT NOT NULL,

    CONSTRAINT "instance_metric_pkey" PRIMARY KEY ("instance_id","at")
);

-- CreateIndex
CREATE INDEX "agent_user_id_idx" ON "agent"("user_id");

-- CreateIndex
CREATE INDEX "agent_reach_due_at_idx" ON "agent"("reach_due_at");

-- CreateIndex
CREATE INDEX "host_token_user_id_idx" ON "host_token"("user_id");

-- CreateIndex
CREATE INDEX "host_container_host_id_idx" ON "host_container"("host_id");

-- CreateIndex
CREATE INDEX "instance_log_instance_id_id_idx" ON "instance_log"("instance_id", "id");

-- CreateIndex
CREATE INDEX "instance_log_created_at_idx" ON "instance_log"("created_at");

-- CreateIndex
CREATE INDEX "instance_metric_at_idx" ON "instance_metric"("at");

-- CreateIndex
CREATE UNIQUE INDEX "host_agent_id_slot_key" ON "host"("agent_id", "slot");

-- AddForeignKey
ALTER TABLE "agent" ADD CONSTRAINT "agent_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_token" ADD CONSTRAINT "host_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_container" ADD CONSTRAINT "host_container_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_container" ADD CONSTRAINT "host_container_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance_log" ADD CONSTRAINT "instance_log_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance_metric" ADD CONSTRAINT "instance_metric_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "agent"
  ADD CONSTRAINT "agent_ports_in_range" CHECK ("port" BETWEEN 1 AND 65535 AND "first_port" BETWEEN 1 AND "last_port" AND "last_port" <= 65535),
  ADD CONSTRAINT "agent_failures_array" CHECK (jsonb_typeof("failures") = 'array');
ALTER TABLE "host_token"
  ADD CONSTRAINT "host_token_expires_later" CHECK ("expires_at" > "created_at"),
  ADD CONSTRAINT "host_token_used_once" CHECK (("used_at" IS NULL) = ("agent_id" IS NULL));
ALTER TABLE "host"
  ADD CONSTRAINT "host_slot_not_negative" CHECK ("slot" >= 0),
  ADD CONSTRAINT "host_docker_has_agent" CHECK ("runtime" <> 'docker' OR "agent_id" IS NOT NULL);
ALTER TABLE "host_container"
  ADD CONSTRAINT "host_container_state_known" CHECK ("state" IN ('waiting', 'pulling', 'starting', 'running', 'stopped', 'exited', 'failed')),
  ADD CONSTRAINT "host_container_ports_object" CHECK (jsonb_typeof("ports") = 'object');
ALTER TABLE "instance_log"
  ADD CONSTRAINT "instance_log_stream_known" CHECK ("stream" IN ('stdout', 'stderr', 'system'));
ALTER TABLE "instance_metric"
  ADD CONSTRAINT "instance_metric_per_cent" CHECK ("gpu_util" BETWEEN 0 AND 100 AND "cpu_util" BETWEEN 0 AND 100
    AND "ram_util" BETWEEN 0 AND 100 AND "mem_util" BETWEEN 0 AND 100);

-- Hints to the long polls of agents (lib/agents/agent-hints.ts) that what is wanted of them has changed. Sent at commit; a lost
-- one costs an agent the rest of its poll and nothing else.
CREATE FUNCTION "agent_hint"("host_id" text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('berth_agent', "agent_id") FROM "host" WHERE "id" = $1 AND "runtime" = 'docker'
$$;
CREATE FUNCTION "agent_hint_of_instance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "agent_hint"(NEW."host_id");
  RETURN NULL;
END $$;
CREATE TRIGGER "agent_hint" AFTER UPDATE OF "wanted", "wanted_boot" ON "instance" FOR EACH ROW
  WHEN (NEW."runtime" = 'docker' AND (OLD."wanted", OLD."wanted_boot") IS DISTINCT FROM (NEW."wanted", NEW."wanted_boot"))
  EXECUTE FUNCTION "agent_hint_of_instance"();
CREATE TRIGGER "agent_hint" AFTER INSERT ON "host_container" FOR EACH ROW EXECUTE FUNCTION "agent_hint_of_instance"();
CREATE FUNCTION "agent_hint_of_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "agent_hint"("host_id") FROM "instance" WHERE "id" = coalesce(NEW."instance_id", OLD."instance_id");
  RETURN NULL;
END $$;
CREATE TRIGGER "agent_hint" AFTER INSERT OR DELETE ON "instance_secret" FOR EACH ROW EXECUTE FUNCTION "agent_hint_of_key"();
CREATE FUNCTION "telemetry_hint"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify(TG_ARGV[0], "instance_id") FROM (SELECT DISTINCT "instance_id" FROM "written") "w";
  RETURN NULL;
END $$;
CREATE TRIGGER "instance_log_hint" AFTER INSERT ON "instance_log"
  REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "telemetry_hint"('berth_log');
CREATE TRIGGER "instance_metric_hint" AFTER INSERT ON "instance_metric"
  REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "telemetry_hint"('berth_metric');
