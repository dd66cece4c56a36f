import type { LogLine } from "../contract/agent-protocol";
import { Prisma, type Tx } from "../db/client";
import { LINES_KEPT, trimLogs } from "./forget-old-telemetry";

/** How much of its logs an instance itself shows, in bytes of UTF-8. */
const TAIL_BYTES = 16_384;
/** A point of an instance's metrics is for so many seconds. */
export const POINT_SECONDS = 10;
const MAX_NS = 2n ** 63n - 1n;

/** A line of an instance; `atNs` in nanoseconds since 1970, growing with each line of the instance. */
export interface NewLine {
  instanceId: string;
  atNs: bigint | string;
  stream: LogLine["stream"];
  text: string;
}

/** Utilisation in per cent, and bytes since the container was made. */
export interface NewPoint {
  instanceId: string;
  gpuUtil: number;
  cpuUtil: number;
  ramUtil: number;
  memUtil: number;
  inetIn: bigint | number;
  inetOut: bigint | number;
}

/**
 * Keeps new lines of any number of instances, and the tail that each instance shows. A line that is not newer than the
 * newest one kept of its instance is passed over, so that sending again changes nothing.
 *
 * The caller holds the rows of the instances: so the order of ids is the order of commit, instance by instance, and one who
 * reads on behind an id misses nothing.
 * @returns the newest line that is then kept of each of `instanceIds`, in nanoseconds; without those that have none
 */
export async function appendLogs(
  tx: Tx,
  instanceIds: readonly string[],
  lines: readonly NewLine[],
): Promise<ReadonlyMap<string, string>> {
  const given = lines.filter(({ atNs }) => BigInt(atNs) <= MAX_NS);
  if (given.length > 0) await insertNewer(tx, given);
  const rows = await tx.$queryRaw<{ id: string; until: string }[]>`
    SELECT asked.id, newest.at_ns::text AS until FROM unnest(${[...instanceIds]}::text[]) AS asked(id) CROSS JOIN LATERAL (
      SELECT l.at_ns FROM instance_log l WHERE l.instance_id = asked.id ORDER BY l.id DESC LIMIT 1) newest`;
  return new Map(rows.map(({ id, until }) => [id, until]));
}

async function insertNewer(tx: Tx, lines: readonly NewLine[]): Promise<void> {
  const written = await tx.$queryRaw<{ id: string; count: number }[]>`
    WITH given AS (
      SELECT * FROM unnest(${lines.map(({ instanceId }) => instanceId)}::text[],
        ${lines.map(({ atNs }) => String(atNs))}::bigint[], ${lines.map(({ stream }) => stream)}::text[],
        ${lines.map(({ text }) => text)}::text[]) WITH ORDINALITY AS g(instance_id, at_ns, stream, text, place)
    ), kept AS (
      SELECT ids.instance_id, (SELECT l.at_ns FROM instance_log l WHERE l.instance_id = ids.instance_id ORDER BY l.id DESC LIMIT 1) AS at_ns
      FROM (SELECT DISTINCT instance_id FROM given) ids
    ), newer AS MATERIALIZED (
      SELECT g.* FROM given g JOIN kept k USING (instance_id) WHERE g.at_ns > coalesce(k.at_ns, -1)
    ), written AS (
      INSERT INTO instance_log (instance_id, at_ns, stream, text)
      SELECT instance_id, at_ns, stream, text FROM newer ORDER BY instance_id, at_ns, place
    ), said AS (
      SELECT instance_id, count(*)::int AS count, string_agg(text || E'\n', '' ORDER BY at_ns, place) AS text FROM newer GROUP BY instance_id
    )
    UPDATE instance i SET logs = ${lastLines(Prisma.sql`coalesce(i.logs, '') || said.text`)}
    FROM said WHERE i.id = said.instance_id RETURNING i.id, said.count`;
  // A chatty one is trimmed as it writes, about once in a thousand lines: the clean-up comes only every ten minutes.
  await trimLogs(
    tx,
    written.filter(({ count }) => Math.random() * (LINES_KEPT / 10) < count).map(({ id }) => id),
  );
}

/** The end of a text of whole lines, cut at bytes, where a line begins: so no character is cut. */
function lastLines(text: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT CASE WHEN octet_length(bytes) <= ${TAIL_BYTES}::int THEN convert_from(bytes, 'UTF8') ELSE convert_from(
      substring(cut FROM position('\\x0a'::bytea IN cut) + 1), 'UTF8') END
    FROM (SELECT bytes, substring(bytes FROM octet_length(bytes) - ${TAIL_BYTES - 1}::int) AS cut
      FROM (SELECT convert_to(${text}, 'UTF8') AS bytes) whole) tail)`;
}

/**
 * Keeps what was measured, one point an instance and ten seconds of the database's clock: the first that comes. The instance
 * itself shows the newest. The caller holds the rows of the instances.
 */
export async function recordMetrics(tx: Tx, points: readonly NewPoint[]): Promise<void> {
  if (points.length === 0) return;
  const numbers = (name: "gpuUtil" | "cpuUtil" | "ramUtil" | "memUtil") =>
    Prisma.sql`${points.map((point) => point[name])}::float8[]`;
  const bytes = (name: "inetIn" | "inetOut") =>
    Prisma.sql`${points.map((point) => String(point[name]))}::bigint[]`;
  await tx.$executeRaw`
    WITH given AS (
      SELECT * FROM unnest(${points.map(({ instanceId }) => instanceId)}::text[], ${numbers("gpuUtil")}, ${numbers("cpuUtil")},
        ${numbers("ramUtil")}, ${numbers("memUtil")}, ${bytes("inetIn")}, ${bytes("inetOut")})
        AS g(instance_id, gpu_util, cpu_util, ram_util, mem_util, inet_in, inet_out)
    ), written AS (
      INSERT INTO instance_metric (instance_id, at, gpu_util, cpu_util, ram_util, mem_util, inet_in, inet_out)
      SELECT instance_id, date_bin(make_interval(secs => ${POINT_SECONDS}), clock_timestamp(), 'epoch'),
        gpu_util, cpu_util, ram_util, mem_util, inet_in, inet_out FROM given
      ON CONFLICT (instance_id, at) DO NOTHING
    )
    UPDATE instance i SET gpu_util = g.gpu_util, cpu_util = g.cpu_util, ram_util = g.ram_util, mem_util = g.mem_util,
      inet_in = g.inet_in, inet_out = g.inet_out, observed_at = clock_timestamp()
    FROM given g WHERE i.id = g.instance_id`;
}
