import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { closeDatabase } from "@/lib/db/client";
import { createTestDatabase, type TestDatabase } from "./postgres";

/** Gives the test file a database of its own, to which `db()` and the handlers connect. Call it at the top of the file. */
export function useTestDatabase(): void {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    process.env.RATE_LIMIT = "off";
    process.env.SIMULATED_BOOT_MS = "0";
    process.env.LOG_LEVEL ||= "fatal";
    process.env.DATA_DIR = join(inject("scratchFolder"), "data");
    process.env.ENCRYPTION_KEY = "0123456789abcdef".repeat(4);
    database = await createTestDatabase();
    process.env.DATABASE_URL = database.url;
  });
  afterAll(async () => {
    await closeDatabase();
    await database?.drop();
  });
}
