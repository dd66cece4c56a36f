import { Client } from "pg";

export async function query<Row extends object = Record<string, unknown>>(
  url: string,
  statement: string,
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Rows and an MD5 over them for each table of schema public but Prisma's own; transaction ids (xid8) are left out. */
export async function readContents(url: string): Promise<Record<string, string>> {
  const tables = await query<{ name: string; columns: string }>(
    url,
    `SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid <> 'xid8'::regtype
     GROUP BY c.relname ORDER BY c.relname`,
  );
  const contents: Record<string, string> = {};
  for (const { name, columns } of tables) {
    const [sum] = await query<{ sum: string }>(
      url,
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(line, E'\\n' ORDER BY line)), '') AS sum
       FROM (SELECT ROW(${columns})::text AS line FROM "${name}") AS lines`,
    );
    contents[name] = sum?.sum ?? "";
  }
  return contents;
}

/** What else a database has to be right: its triggers as they are set, and the numbers that its sequences give next. */
export async function readState(url: string): Promise<Record<string, string>> {
  const triggers = await query<{ name: string; value: string }>(
    url,
    `SELECT tgrelid::regclass || '.' || tgname AS name, tgenabled::text AS value FROM pg_trigger WHERE NOT tgisinternal`,
  );
  const state = Object.fromEntries(triggers.map(({ name, value }) => [name, value]));
  const sequences = await query<{ name: string }>(url, "SELECT sequencename AS name FROM pg_sequences");
  for (const { name } of sequences) {
    const sql = `SELECT (last_value + is_called::int)::text AS next FROM "${name}"`;
    state[name] = (await query<{ next: string }>(url, sql))[0]?.next ?? "";
  }
  return state;
}

/** Rows whose foreign key leads nowhere, by the key's name. */
export async function findOrphans(url: string): Promise<string[]> {
  const keys = await query<{ name: string; sql: string }>(
    url,
    `SELECT conname AS name, format('SELECT 1 FROM %s c LEFT JOIN %s p ON c.%I = p.%I WHERE c.%I IS NOT NULL AND p.%I IS NULL LIMIT 1',
       conrelid::regclass, confrelid::regclass, a.attname, b.attname, a.attname, b.attname) AS sql
     FROM pg_constraint
     JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = conkey[1]
     JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = confkey[1]
     WHERE contype = 'f'`,
  );
  const broken: string[] = [];
  for (const { name, sql } of keys) if ((await query(url, sql)).length > 0) broken.push(name);
  return broken;
}
