import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BackupError } from "./backup-error";

const FORMAT = 1;
const MANIFEST = "manifest.json";
const MANIFEST_SUM = "manifest.sha256";

// Names are in file names and SQL, too.
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const whole = z.number().int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const manifestShape = z.strictObject({
  format: z.literal(FORMAT),
  /** The database's clock when the snapshot was taken. */
  database_time: z.string(),
  /** Tells the encryption key that belongs to it from others, and nothing else about it. */
  key_id: z.string().regex(/^[0-9a-f]{8}$/),
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  /** Each after those that it refers to. `bytes` and `sha256` are of the file. */
  tables: z.array(z.strictObject({ name, columns: z.array(name), rows: whole, bytes: whole, sha256 })),
  sequences: z.array(z.strictObject({ name, next: z.string().regex(/^-?\d{1,19}$/) })),
});

/** What is in a backup's folder. */
export type Manifest = z.output<typeof manifestShape>;

/** The file of a table: COPY's text format, gzipped. */
export function tableFile(folder: string, table: string): string {
  return join(folder, `${table}.copy.gz`);
}

/** Reads a stream through while counting it. */
export function makeTally() {
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    async *count(source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    result: () => ({ bytes, sha256: hash.digest("hex") }),
  };
}

/** Writes a manifest and its own checksum, in the format of `sha256sum`. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, "format">): Promise<void> {
  const text = `${JSON.stringify(manifestShape.parse({ format: FORMAT, ...manifest }), null, 2)}\n`;
  const options = { mode: 0o600, flag: "wx", flush: true };
  await writeFile(join(folder, MANIFEST), text, options);
  await writeFile(join(folder, MANIFEST_SUM), `${sumOf(text)}  ${MANIFEST}\n`, options);
}

/** Reads a backup's manifest. Throws BackupError where the folder is none, of another format or damaged. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readText(folder, MANIFEST);
  const json = parseJson(text);
  const format = z.object({ format: z.unknown() }).safeParse(json).data?.format;
  if (format !== undefined && format !== FORMAT) {
    throw new BackupError(
      `${folder} is a backup of another format (${JSON.stringify(format)}); this Berth reads format ${FORMAT}. Restore it with the Berth that made it.`,
    );
  }
  const sum = await readText(folder, MANIFEST_SUM);
  const parsed = manifestShape.safeParse(json);
  if (!parsed.success || !sum.startsWith(sumOf(text)))
    throw damaged(folder, MANIFEST, "is not as it was written");
  return parsed.data;
}

/** Reads every file of a backup against its checksum. Throws BackupError at the first that is not as it was written. */
export async function checkFiles(folder: string, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    const file = tableFile(folder, table.name);
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) throw damaged(folder, `${table.name}.copy.gz`, "is missing");
    if (found.size !== table.bytes) {
      throw damaged(folder, `${table.name}.copy.gz`, `has ${found.size} bytes instead of ${table.bytes}`);
    }
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(file)) hash.update(chunk);
    if (hash.digest("hex") !== table.sha256)
      throw damaged(folder, `${table.name}.copy.gz`, "is not as it was written");
  }
}

export function damaged(folder: string, file: string, how: string): BackupError {
  return new BackupError(
    `${file} in ${folder} ${how}. Copy the backup again from where it was made, or use another.`,
  );
}

async function readText(folder: string, file: string): Promise<string> {
  try {
    return await readFile(join(folder, file), "utf8");
  } catch {
    throw new BackupError(
      `${folder} is no whole backup of Berth: ${file} cannot be read. Name the folder that \`berth backup --to\` made.`,
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
