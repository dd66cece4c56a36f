import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

const EMPTY_SCHEMA = 'datasource db {\n  provider = "postgresql"\n}\n';

export interface OpenEngine {
  engine: SchemaEngine;
  /** The first script that failed, and what PostgreSQL said; the engine's own error does not always tell. */
  failedScript(): FailedScript | null;
}

export interface FailedScript {
  script: string;
  error: unknown;
}

/**
 * Prisma's migration engine on the connections of `pool`, without the native program that Prisma's CLI would download
 * (docs/adr/0002). Free the engine after use.
 */
export async function openSchemaEngine(pool: pg.Pool): Promise<OpenEngine> {
  loading ??= loadBindings();
  const { SchemaEngine } = await loading;
  const factory = new WholeScriptFactory(pool);
  const engine = await SchemaEngine.new(
    { datamodels: [["schema.prisma", EMPTY_SCHEMA]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
  return { engine, failedScript: () => factory.failed };
}

/** Once a process: the bindings hold one instance, and a second would pull it from under the engines of the first. */
let loading: ReturnType<typeof loadBindings> | undefined;

async function loadBindings() {
  // The engine reports a panic of its own to this name before it stops answering.
  const set_message = (message: string) => {
    throw new Error(`Prisma's migration engine failed: ${message}`);
  };
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message } });
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const folder = dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const code = await readFile(join(folder, "schema_engine_bg.wasm"));
  const imports = { ...bindings, ...timersThatKeepNothingAlive(bindings) };
  const { instance } = await WebAssembly.instantiate(code, { "./schema_engine_bg.js": imports });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
  return bindings;
}

/**
 * Prisma's adapter cuts a script at every semicolon, also within function bodies and strings; here PostgreSQL gets it
 * whole.
 */
class WholeScriptFactory implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = "postgres";
  readonly adapterName = "@prisma/adapter-pg";
  failed: FailedScript | null = null;
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async connect(): Promise<SqlDriverAdapter> {
    return this.#withWholeScripts(this.#pool);
  }

  /** A database of its own in which the engine replays the migrations, to see what they make. */
  async connectToShadowDb(): Promise<SqlDriverAdapter> {
    const database = `berth_shadow_${process.pid}_${Date.now()}`;
    await this.#pool.query(`CREATE DATABASE ${database}`);
    const url = new URL(this.#pool.options.connectionString ?? "");
    url.pathname = database;
    const shadow = new pg.Pool({ connectionString: url.href, max: 1 });
    const adapter = await this.#withWholeScripts(shadow);
    const dispose = async () => {
      await shadow.end();
      await this.#pool.query(`DROP DATABASE ${database}`);
    };
    return Object.assign(adapter, { dispose });
  }

  async #withWholeScripts(pool: pg.Pool): Promise<SqlDriverAdapter> {
    const executeScript = async (script: string) => {
      const connection = await pool.connect();
      try {
        await connection.query(script);
      } catch (error) {
        this.failed ??= { script, error };
        throw error;
      } finally {
        connection.release(); // without the error: the pool would close the connection, and with it the transaction
      }
    };
    const adapter = await new PrismaPg(pool).connect();
    const queryRaw = readsChar(adapter.queryRaw.bind(adapter));
    return Object.assign(adapter, { executeScript, queryRaw });
  }
}

type QueryRaw = SqlDriverAdapter["queryRaw"];

/**
 * Columns of PostgreSQL's type "char" that the engine asks for where it reads constraints. It wants characters, and Prisma's
 * adapter refuses that type.
 */
const CHAR_COLUMNS = [
  { name: "constraint_type", asked: "constr.contype AS", cast: "constr.contype::text AS" },
  { name: "confdeltype", asked: "con.confdeltype,", cast: "con.confdeltype::text AS confdeltype," },
  { name: "confupdtype", asked: "con.confupdtype,", cast: "con.confupdtype::text AS confupdtype," },
];

function readsChar(queryRaw: QueryRaw): QueryRaw {
  return async (query) => {
    const sql = CHAR_COLUMNS.reduce((text, { asked, cast }) => text.replace(asked, cast), query.sql);
    const result = await queryRaw({ ...query, sql });
    if (sql === query.sql) return result;
    const columnTypes = result.columnTypes.map((type, index) =>
      CHAR_COLUMNS.some(({ name }) => name === result.columnNames[index]) ? ColumnTypeEnum.Character : type,
    );
    return { ...result, columnTypes };
  };
}

/** The engine sets time-outs of 10 s and clears none: a command would live on for as long after its work. */
function timersThatKeepNothingAlive(
  bindings: object,
): Record<string, (call: () => void, ms: number) => object> {
  const names = Object.keys(bindings).filter((name) => name.startsWith("__wbg_setTimeout_"));
  return Object.fromEntries(
    names.map((name) => [name, (call: () => void, ms: number) => setTimeout(call, ms).unref()]),
  );
}
