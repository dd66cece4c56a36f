import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whatever is put in it is removed after the run, and a PostgreSQL in it stopped, however the run ends. */
    scratchFolder: string;
    /** URL of the run's PostgreSQL; of its databases only the template is migrated. */
    postgresUrl: string;
    templateDatabase: string;
  }
}

export interface TestDatabase {
  url: string;
  /** Ends whatever is still connected. Not needed for tidiness: all databases go with the run. */
  drop(): Promise<void>;
}

/** A migrated database of one's own, in some 50 ms; `empty` leaves out the migrations. For a file's or a test's use. */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const template = options.empty ? "template0" : inject("templateDatabase");
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = name;
  return { url: url.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
