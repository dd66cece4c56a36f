-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "user" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "roles" TEXT[] DEFAULT ARRAY['renter']::TEXT[],
    "suspended_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credential" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(6),
    "refresh_token_expires_at" TIMESTAMPTZ(6),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "balance" (
    "user_id" TEXT NOT NULL,
    "available_micro" BIGINT NOT NULL DEFAULT 0,
    "burn_micro" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "balance_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "exchange_rate" (
    "currency" TEXT NOT NULL,
    "effective_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "units_per_usd" DECIMAL(20,10) NOT NULL,

    CONSTRAINT "exchange_rate_pkey" PRIMARY KEY ("currency","effective_at")
);

-- CreateTable
CREATE TABLE "gpu" (
    "id" TEXT NOT NULL,
    "translit_name" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "vendor" TEXT NOT NULL,
    "architecture" TEXT NOT NULL,
    "segment" TEXT NOT NULL,
    "vram_gb" DOUBLE PRECISION NOT NULL,
    "memory_bandwidth_gbps" DOUBLE PRECISION NOT NULL,
    "fp32_tflops" DOUBLE PRECISION NOT NULL,
    "fp16_tflops" DOUBLE PRECISION,
    "tdp_watts" DOUBLE PRECISION NOT NULL,
    "interface" TEXT NOT NULL,
    "launch_year" INTEGER NOT NULL,
    "features" TEXT[],
    "benchmarks" JSONB NOT NULL,
    "description_en" TEXT NOT NULL,
    "description_ru" TEXT NOT NULL,
    "source" TEXT NOT NULL,

    CONSTRAINT "gpu_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider" (
    "id" TEXT NOT NULL,
    "owner_id" TEXT,
    "name" TEXT NOT NULL,
    "translit_name" TEXT NOT NULL,
    "country" TEXT,
    "url" TEXT,
    "logo" TEXT,
    "description" TEXT,
    "meta_title" TEXT,
    "meta_description" TEXT,
    "use_vpn" BOOLEAN NOT NULL DEFAULT false,
    "is_third_party" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "host" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "runtime" TEXT NOT NULL,
    "agent_id" TEXT,
    "address" TEXT,
    "agent_port" INTEGER,
    "fingerprint" TEXT,
    "status" TEXT NOT NULL DEFAULT 'inactive',
    "status_reason" TEXT,
    "verified_at" TIMESTAMPTZ(6),
    "last_report_at" TIMESTAMPTZ(6),
    "available_until" TIMESTAMPTZ(6),
    "deleted_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "host_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "offer" (
    "id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "host_id" TEXT,
    "gpu_translit_name" TEXT,
    "gpu_name" TEXT NOT NULL,
    "gpu_amount" INTEGER NOT NULL,
    "vram_gb" DOUBLE PRECISION,
    "ram_gb" DOUBLE PRECISION,
    "disk_gb" DOUBLE PRECISION,
    "cpu_name" TEXT,
    "vcpu" DOUBLE PRECISION,
    "cpu_cores" DOUBLE PRECISION,
    "cpu_freq_ghz" DOUBLE PRECISION,
    "memory_speed_gbps" DOUBLE PRECISION,
    "ethernet_in_mbps" DOUBLE PRECISION,
    "ethernet_out_mbps" DOUBLE PRECISION,
    "capacity_tflops" DOUBLE PRECISION,
    "max_cuda_version" DOUBLE PRECISION,
    "city" TEXT,
    "country" TEXT,
    "region" TEXT,
    "url" TEXT,
    "score" DOUBLE PRECISION NOT NULL DEFAULT 50,
    "price_micro" BIGINT,
    "disk_price_micro" BIGINT,
    "is_third_party" BOOLEAN NOT NULL,
    "runtime" TEXT NOT NULL,
    "catalogue_source" TEXT,
    "catalogue_key" TEXT,
    "third_party_id" TEXT,
    "cloud_id" TEXT,
    "extra" JSONB NOT NULL DEFAULT '{}',
    "available_until" TIMESTAMPTZ(6),
    "leased" BOOLEAN NOT NULL DEFAULT false,
    "live" BOOLEAN NOT NULL DEFAULT true,
    "listed" BOOLEAN NOT NULL DEFAULT true,
    "in_stock" BOOLEAN NOT NULL GENERATED ALWAYS AS (NOT "leased" AND "live") STORED,
    "rentable" BOOLEAN NOT NULL GENERATED ALWAYS AS (
        NOT "leased" AND "live" AND "listed" AND "price_micro" IS NOT NULL AND "runtime" <> 'none') STORED,
    "unavailable_since" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "offer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "template" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "image" TEXT NOT NULL,
    "image_tag" TEXT NOT NULL DEFAULT 'latest',
    "docker_username" TEXT,
    "docker_registry" TEXT,
    "docker_password_sealed" BYTEA,
    "env" TEXT,
    "ports" JSONB NOT NULL DEFAULT '{}',
    "use_ssh" BOOLEAN NOT NULL DEFAULT false,
    "use_jupyter" BOOLEAN NOT NULL DEFAULT false,
    "direct_ssh" BOOLEAN NOT NULL DEFAULT false,
    "jupyter_directory" TEXT,
    "use_jupyter_lab" BOOLEAN NOT NULL DEFAULT false,
    "on_start_command" TEXT,
    "search_params" TEXT,
    "recommended_disk_space" DOUBLE PRECISION,
    "href" TEXT,
    "picture" TEXT,
    "readme" TEXT,
    "is_private" BOOLEAN NOT NULL DEFAULT false,
    "ssh_username" TEXT NOT NULL DEFAULT 'root',
    "version" INTEGER NOT NULL DEFAULT 0,
    "published_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "template_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secret" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "secret_type" TEXT NOT NULL DEFAULT 'ssh',
    "name" TEXT NOT NULL,
    "description" TEXT,
    "value" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "instance" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "offer_id" TEXT NOT NULL,
    "template_id" TEXT,
    "name" TEXT,
    "label" BOOLEAN NOT NULL DEFAULT false,
    "red_flagged" BOOLEAN NOT NULL DEFAULT false,
    "offer_snapshot" JSONB NOT NULL,
    "template_snapshot" JSONB NOT NULL,
    "docker_password_sealed" BYTEA,
    "storage_gb" DOUBLE PRECISION NOT NULL,
    "reserve_period" TEXT NOT NULL DEFAULT 'hour',
    "price_micro" BIGINT NOT NULL,
    "uptime_micro" BIGINT NOT NULL,
    "pause_micro" BIGINT NOT NULL,
    "burn_micro" BIGINT NOT NULL DEFAULT 0,
    "prepaid_micro" BIGINT NOT NULL DEFAULT 0,
    "prepaid_until" TIMESTAMPTZ(6),
    "auto_renew" BOOLEAN NOT NULL DEFAULT false,
    "runtime" TEXT NOT NULL,
    "wanted" TEXT NOT NULL DEFAULT 'running',
    "wanted_boot" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "phase" TEXT NOT NULL DEFAULT 'scheduling',
    "message" TEXT,
    "holds_lease" BOOLEAN NOT NULL DEFAULT true,
    "status_changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "initialized_at" TIMESTAMPTZ(6),
    "destroyed_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "address" TEXT,
    "ssh_host" TEXT,
    "ssh_port" INTEGER,
    "ports" JSONB NOT NULL DEFAULT '{}',
    "ui_url" TEXT,
    "logs" TEXT,
    "gpu_util" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "cpu_util" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "ram_util" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "mem_util" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "inet_in" BIGINT NOT NULL DEFAULT 0,
    "inet_out" BIGINT NOT NULL DEFAULT 0,
    "observed_at" TIMESTAMPTZ(6),
    "due_at" TIMESTAMPTZ(6) DEFAULT CURRENT_TIMESTAMP,
    "claim_token" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "instance_secret" (
    "instance_id" TEXT NOT NULL,
    "secret_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_secret_pkey" PRIMARY KEY ("instance_id","secret_id")
);

-- CreateTable
CREATE TABLE "meter_interval" (
    "id" BIGSERIAL NOT NULL,
    "instance_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "prepaid" BOOLEAN NOT NULL DEFAULT false,
    "rate_micro" BIGINT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6),
    "settled_micro" BIGINT NOT NULL DEFAULT 0,
    "settled" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "meter_interval_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "simulated_container" (
    "instance_id" TEXT NOT NULL,
    "boot" INTEGER NOT NULL,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "booted_at" TIMESTAMPTZ(6) NOT NULL,
    "pull_ms" INTEGER NOT NULL,

    CONSTRAINT "simulated_container_pkey" PRIMARY KEY ("instance_id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" BIGSERIAL NOT NULL,
    "xact" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "user_id" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotent_request" (
    "user_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotent_request_pkey" PRIMARY KEY ("user_id","operation","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_key" ON "session"("token");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE INDEX "credential_user_id_idx" ON "credential"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "credential_provider_id_account_id_key" ON "credential"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "verification_identifier_idx" ON "verification"("identifier");

-- CreateIndex
CREATE INDEX "api_key_user_id_idx" ON "api_key"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "gpu_translit_name_key" ON "gpu"("translit_name");

-- CreateIndex
CREATE UNIQUE INDEX "provider_owner_id_key" ON "provider"("owner_id");

-- CreateIndex
CREATE UNIQUE INDEX "provider_translit_name_key" ON "provider"("translit_name");

-- CreateIndex
CREATE INDEX "host_user_id_idx" ON "host"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "offer_host_id_key" ON "offer"("host_id");

-- CreateIndex
CREATE INDEX "offer_provider_id_idx" ON "offer"("provider_id");

-- CreateIndex
CREATE INDEX "offer_gpu_translit_name_price_micro_idx" ON "offer"("gpu_translit_name", "price_micro");

-- CreateIndex
CREATE UNIQUE INDEX "offer_catalogue_source_catalogue_key_key" ON "offer"("catalogue_source", "catalogue_key");

-- CreateIndex
CREATE INDEX "template_user_id_idx" ON "template"("user_id");

-- CreateIndex
CREATE INDEX "secret_user_id_idx" ON "secret"("user_id");

-- CreateIndex
CREATE INDEX "instance_user_id_created_at_idx" ON "instance"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "instance_template_id_created_at_idx" ON "instance"("template_id", "created_at");

-- CreateIndex
CREATE INDEX "instance_secret_secret_id_idx" ON "instance_secret"("secret_id");

-- CreateIndex
CREATE INDEX "event_user_id_id_idx" ON "event"("user_id", "id");

-- CreateIndex
CREATE INDEX "event_subject_id_id_idx" ON "event"("subject_id", "id");

-- CreateIndex
CREATE INDEX "idempotent_request_created_at_idx" ON "idempotent_request"("created_at");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "balance" ADD CONSTRAINT "balance_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider" ADD CONSTRAINT "provider_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host" ADD CONSTRAINT "host_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offer" ADD CONSTRAINT "offer_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "provider"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offer" ADD CONSTRAINT "offer_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offer" ADD CONSTRAINT "offer_gpu_translit_name_fkey" FOREIGN KEY ("gpu_translit_name") REFERENCES "gpu"("translit_name") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template" ADD CONSTRAINT "template_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "secret" ADD CONSTRAINT "secret_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance" ADD CONSTRAINT "instance_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance" ADD CONSTRAINT "instance_offer_id_fkey" FOREIGN KEY ("offer_id") REFERENCES "offer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance" ADD CONSTRAINT "instance_template_id_fkey" FOREIGN KEY ("template_id") REFERENCES "template"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance_secret" ADD CONSTRAINT "instance_secret_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance_secret" ADD CONSTRAINT "instance_secret_secret_id_fkey" FOREIGN KEY ("secret_id") REFERENCES "secret"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "meter_interval" ADD CONSTRAINT "meter_interval_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "simulated_container" ADD CONSTRAINT "simulated_container_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- What Prisma's schema cannot say: each rule below has a test in tests/db/constraints.test.ts.

CREATE EXTENSION IF NOT EXISTS btree_gist;

ALTER TABLE "user"
  ADD CONSTRAINT "user_email_lower" CHECK ("email" = lower("email")),
  ADD CONSTRAINT "user_roles_known" CHECK ("roles" <@ ARRAY['renter', 'host', 'operator']);

ALTER TABLE "api_key"
  ADD CONSTRAINT "api_key_hash_is_sha256" CHECK (octet_length("secret_hash") = 32);

ALTER TABLE "balance"
  ADD CONSTRAINT "balance_burn_not_negative" CHECK ("burn_micro" >= 0);

ALTER TABLE "exchange_rate"
  ADD CONSTRAINT "exchange_rate_positive" CHECK ("units_per_usd" > 0),
  ADD CONSTRAINT "exchange_rate_currency_known" CHECK ("currency" IN ('USD', 'RUB', 'QOIN')),
  ADD CONSTRAINT "exchange_rate_usd_is_one" CHECK ("currency" <> 'USD' OR "units_per_usd" = 1);

ALTER TABLE "host"
  ADD CONSTRAINT "host_status_known" CHECK ("status" IN ('inactive', 'active', 'maintenance', 'error')),
  ADD CONSTRAINT "host_status_reason_known" CHECK ("status_reason" IN ('agent_unavailable', 'engine_unavailable',
    'not_reachable', 'price_not_set', 'not_verified', 'self_test_failed', 'server_fail', 'maintenance', 'withdrawn', 'banned')),
  ADD CONSTRAINT "host_runtime_known" CHECK ("runtime" IN ('simulated', 'docker')),
  ADD CONSTRAINT "host_agent_port_range" CHECK ("agent_port" BETWEEN 1 AND 65535);

ALTER TABLE "offer"
  ADD CONSTRAINT "offer_price_range" CHECK ("price_micro" > 0 AND "price_micro" <= 10000000000),
  ADD CONSTRAINT "offer_disk_price_not_negative" CHECK ("disk_price_micro" >= 0),
  ADD CONSTRAINT "offer_gpu_amount_not_negative" CHECK ("gpu_amount" >= 0),
  ADD CONSTRAINT "offer_score_range" CHECK ("score" BETWEEN 0 AND 100),
  ADD CONSTRAINT "offer_runtime_known" CHECK ("runtime" IN ('none', 'simulated', 'docker')),
  ADD CONSTRAINT "offer_catalogue_whole" CHECK (("catalogue_source" IS NULL) = ("catalogue_key" IS NULL)),
  ADD CONSTRAINT "offer_of_host_or_catalogue" CHECK (("host_id" IS NULL) = ("catalogue_source" IS NOT NULL));

-- The 24 hours that an unavailable offer stays in the search are counted on the database's clock, whatever verb moved it.
CREATE FUNCTION "offer_mark_unavailable"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."leased" OR NOT NEW."live" THEN
    IF TG_OP = 'INSERT' OR NOT (OLD."leased" OR NOT OLD."live") THEN
      NEW."unavailable_since" := clock_timestamp();
    END IF;
  ELSE
    NEW."unavailable_since" := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "offer_mark_unavailable" BEFORE INSERT OR UPDATE OF "leased", "live" ON "offer"
  FOR EACH ROW EXECUTE FUNCTION "offer_mark_unavailable"();

ALTER TABLE "template"
  ADD CONSTRAINT "template_disk_positive" CHECK ("recommended_disk_space" > 0),
  ADD CONSTRAINT "template_version_not_negative" CHECK ("version" >= 0);

ALTER TABLE "secret"
  ADD CONSTRAINT "secret_type_known" CHECK ("secret_type" IN ('ssh'));

ALTER TABLE "instance"
  ADD CONSTRAINT "instance_status_known" CHECK ("status" IN ('pending', 'running', 'paused', 'rebooting', 'error', 'destroyed')),
  ADD CONSTRAINT "instance_wanted_known" CHECK ("wanted" IN ('running', 'paused', 'destroyed')),
  ADD CONSTRAINT "instance_reserve_period_known" CHECK ("reserve_period" IN
    ('hour', 'day', 'week', 'month', 'quarter', 'half_year', 'year')),
  ADD CONSTRAINT "instance_runtime_known" CHECK ("runtime" IN ('simulated', 'docker')),
  ADD CONSTRAINT "instance_prices_not_negative" CHECK ("price_micro" > 0 AND "uptime_micro" >= "pause_micro" AND "pause_micro" >= 0),
  ADD CONSTRAINT "instance_storage_positive" CHECK ("storage_gb" > 0),
  ADD CONSTRAINT "instance_prepaid_not_negative" CHECK ("prepaid_micro" >= 0 AND "burn_micro" >= 0),
  ADD CONSTRAINT "instance_live_holds_lease" CHECK ("holds_lease" OR "status" IN ('error', 'destroyed')),
  ADD CONSTRAINT "instance_destroyed_has_time" CHECK (("status" = 'destroyed') = ("destroyed_at" IS NOT NULL)),
  ADD CONSTRAINT "instance_ssh_port_range" CHECK ("ssh_port" BETWEEN 1 AND 65535);

-- Behind the one statement of renting: even a faulty one cannot let two instances hold one offer.
CREATE UNIQUE INDEX "instance_one_lease_an_offer" ON "instance" ("offer_id") WHERE "holds_lease";

CREATE INDEX "instance_due" ON "instance" ("due_at") WHERE "due_at" IS NOT NULL;

ALTER TABLE "meter_interval"
  ADD CONSTRAINT "meter_interval_kind_known" CHECK ("kind" IN ('running', 'paused')),
  ADD CONSTRAINT "meter_interval_forward" CHECK ("ended_at" >= "started_at"),
  ADD CONSTRAINT "meter_interval_amounts" CHECK ("rate_micro" >= 0 AND "settled_micro" >= 0),
  ADD CONSTRAINT "meter_interval_settled_is_closed" CHECK (NOT "settled" OR "ended_at" IS NOT NULL),
  ADD CONSTRAINT "meter_interval_disjoint" EXCLUDE USING gist
    ("instance_id" WITH =, tstzrange("started_at", "ended_at") WITH &&);

CREATE INDEX "meter_interval_unsettled" ON "meter_interval" ("instance_id") WHERE NOT "settled";

ALTER TABLE "simulated_container"
  ADD CONSTRAINT "simulated_container_pull_not_negative" CHECK ("pull_ms" >= 0);

ALTER TABLE "idempotent_request"
  ADD CONSTRAINT "idempotent_request_whole" CHECK (("status" IS NULL) = ("body" IS NULL));

-- Example rates; an operator sets real ones (each with its time).
INSERT INTO "exchange_rate" ("currency", "effective_at", "units_per_usd") VALUES
  ('USD', '2026-01-01T00:00:00Z', 1),
  ('RUB', '2026-01-01T00:00:00Z', 80),
  ('QOIN', '2026-01-01T00:00:00Z', 100);
