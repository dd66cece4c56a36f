-- AlterTable
ALTER TABLE "host" ADD COLUMN     "withdrawn_at" TIMESTAMPTZ(6);
