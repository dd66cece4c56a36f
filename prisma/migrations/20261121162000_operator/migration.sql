-- Since when an operator has an eye on it takes the place of whether.
ALTER TABLE "instance" ADD COLUMN "flagged_at" TIMESTAMPTZ(6), ADD COLUMN "flag_note" TEXT;
UPDATE "instance" SET "flagged_at" = now() WHERE "red_flagged";
ALTER TABLE "instance" DROP COLUMN "red_flagged",
  ADD CONSTRAINT "instance_note_is_of_a_flag" CHECK ("flag_note" IS NULL OR "flagged_at" IS NOT NULL);

-- CreateTable
CREATE TABLE "catalogue_import" (
    "id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "runtime" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "size_bytes" INTEGER NOT NULL,
    "read_bytes" INTEGER NOT NULL DEFAULT 0,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "added" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "gone" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "reasons" JSONB NOT NULL DEFAULT '[]',
    "error" TEXT,
    "heartbeat_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "ended_at" TIMESTAMPTZ(6),

    CONSTRAINT "catalogue_import_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "catalogue_import_status_known" CHECK ("status" IN ('running', 'done', 'failed')),
    CONSTRAINT "catalogue_import_runtime_known" CHECK ("runtime" IN ('none', 'simulated')),
    CONSTRAINT "catalogue_import_ends_once_not_running" CHECK (("status" = 'running') = ("ended_at" IS NULL)),
    CONSTRAINT "catalogue_import_failed_says_why" CHECK (("status" = 'failed') = ("error" IS NOT NULL)),
    CONSTRAINT "catalogue_import_counts_not_negative" CHECK (
      least("size_bytes", "read_bytes", "rows", "added", "updated", "unchanged", "gone", "skipped") >= 0)
);

-- One at a time of a source.
CREATE UNIQUE INDEX "catalogue_import_one_runs" ON "catalogue_import" ("source") WHERE "status" = 'running';
