import { Prisma } from "../db/client";
import { convertMicro, type Rate } from "../kernel/money";

/** UTC days, both ends included, as YYYY-MM-DD. */
export interface DaySpan {
  /** Absent: 29 days before the last one. */
  from?: string | undefined;
  /** Absent: today. */
  to?: string | undefined;
}

/** Micro-units of USD that were moved while a rate was in force, one element a rate. */
export interface DatedParts {
  micros: bigint[];
  units: string[];
}

const DAYS_BEFORE_LAST = 29;

/** What parts come to, each at its own rate: micro-units of the currency and of USD. */
export function sumParts({ micros, units }: DatedParts, currency: Rate["currency"]) {
  let micro = 0n;
  let usdMicro = 0n;
  for (const [i, part] of micros.entries()) {
    usdMicro += part;
    micro += convertMicro(part, { currency, unitsPerUsd: units[i] ?? "1" });
  }
  return { micro, usdMicro };
}

/** One row: the `first` and the `last` day of a span, and the instants `begins` and `ends` between which they lie. */
export function daySpan({ from, to }: DaySpan): Prisma.Sql {
  const last = Prisma.sql`coalesce(${to ?? null}::date, (clock_timestamp() AT TIME ZONE 'UTC')::date)`;
  return Prisma.sql`
    SELECT first, last, first::timestamp AT TIME ZONE 'UTC' AS begins, (last + 1)::timestamp AT TIME ZONE 'UTC' AS ends
    FROM (SELECT coalesce(${from ?? null}::date, ${last} - ${DAYS_BEFORE_LAST}::int) AS first, ${last} AS last) days`;
}

/** The rates of a currency: `units` from `begins` until before `ends`. The first one also stands for the time before it. */
export function rateSpans(currency: Rate["currency"]): Prisma.Sql {
  return Prisma.sql`
    SELECT trim_scale(units_per_usd)::text AS units,
      CASE WHEN row_number() OVER byTime = 1 THEN '-infinity' ELSE effective_at END AS begins,
      coalesce(lead(effective_at) OVER byTime, 'infinity') AS ends
    FROM exchange_rate WHERE currency = ${currency} WINDOW byTime AS (ORDER BY effective_at)`;
}

/**
 * Rows of `day`, `instance_id` and `seconds`: the settled time of each meter interval `m` of an instance `i` within the days
 * of a `span`, cut at midnight. Time and money are cut alike, so a day's amount is what its seconds cost.
 * @param which a condition on `m` and `i`
 */
export function secondsByDay(which: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT (day AT TIME ZONE 'UTC')::date AS day, m.instance_id,
      extract(epoch FROM least(m.settled_until, day + interval '24 hours') - greatest(m.started_at, day)) AS seconds
    FROM span, meter_interval m JOIN instance i ON i.id = m.instance_id, generate_series(
      greatest(date_trunc('day', m.started_at, 'UTC'), span.begins), least(m.settled_until, span.ends - interval '1 day'),
      interval '24 hours') AS day
    WHERE ${which} AND m.started_at < span.ends AND m.settled_until > span.begins AND m.settled_until > greatest(m.started_at, day)`;
}
