import { availableParallelism } from "node:os";
import { DOUBLE, DuckDBInstance, INTEGER, VARCHAR } from "@duckdb/node-api";
import { sqlColumns, sqlOfBody, tableSql } from "./sql-of-body.ts";

/**
 * DuckDB in this process, in memory, on every core; statements are prepared once.
 * @type {import("./engine").EngineModule["openEngine"]}
 */
export async function openEngine(offers) {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(availableParallelism()) });
  const connection = await instance.connect();
  await connection.run(tableSql);
  const appender = await connection.createAppender("offer");
  for (const offer of offers) {
    for (const [, type, of] of sqlColumns) append(appender, type, of(offer));
    appender.endRow();
  }
  appender.closeSync();
  const prepared = new Map();
  const run = async (sql, values) => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = await connection.prepare(sql);
      prepared.set(sql, statement);
    }
    statement.bind(values, values.map(typeOf));
    return (await statement.runAndReadAll()).getRows();
  };
  const searches = {
    "page and count in one statement": async (body) => {
      const { both, count, values } = sqlOfBody(body);
      const rows = await run(both, values);
      const total = rows[0]?.[1] ?? (body.start > 0 ? (await run(count, values))[0][0] : 0);
      return { ids: rows.map(([id]) => id), total };
    },
    "page and count in two statements": async (body) => {
      const { page, count, values } = sqlOfBody(body);
      const rows = await run(page, values);
      return { ids: rows.map(([id]) => id), total: (await run(count, values))[0][0] };
    },
  };
  return { name: "DuckDB, in process", searches };
}

function append(appender, type, value) {
  if (value === null) appender.appendNull();
  else if (type === "text") appender.appendVarchar(value);
  else if (type === "boolean") appender.appendBoolean(value);
  else if (type === "integer") appender.appendInteger(value);
  else appender.appendDouble(value);
}

function typeOf(value) {
  if (typeof value === "string") return VARCHAR;
  return Number.isInteger(value) ? INTEGER : DOUBLE;
}
