import { z } from "zod";
import { parameter } from "./common";

/** An instant: by the calendar, or so long before now on the server's clock. In nanoseconds. */
export type Moment = { atNs: bigint } | { agoNs: bigint };

const NS_PER_MS = 1_000_000n;
const NS = { d: 86_400e9, h: 3_600e9, m: 60e9, s: 1e9, ms: 1e6 } as const;
/** What the database can hold of either kind. */
const MAX_NS = 2n ** 63n - 1n;

/** `10m`, `1h30m`, `1.5h`, `7d`. */
function parseAgo(text: string): bigint | undefined {
  if (!/^(\d{1,9}(\.\d{1,9})?(d|h|ms|m|s))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(d|h|ms|m|s)/g)];
  return parts.reduce((sum, [, amount, unit]) => {
    const known = unit === "d" || unit === "h" || unit === "m" || unit === "s" ? unit : "ms";
    return sum + BigInt(Math.round(Number(amount) * NS[known]));
  }, 0n);
}

/** Seconds since 1970. */
function parseSeconds(text: string): bigint | undefined {
  const match = /^(\d{1,11})(?:\.(\d{1,9}))?$/.exec(text);
  return match ? BigInt(match[1] ?? 0) * 1_000_000_000n + nanos(match[2]) : undefined;
}

/** A date, or RFC 3339 with an offset. */
function parseTime(text: string): bigint | undefined {
  const isTime =
    z.iso.date().safeParse(text).success || z.iso.datetime({ offset: true }).safeParse(text).success;
  if (!isTime) return undefined;
  const [, whole = "", fraction, offset = ""] = /^([^.]*)(?:\.(\d+))?(.*)$/.exec(text) ?? [];
  const ms = Date.parse(whole + offset);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * NS_PER_MS + nanos(fraction);
}

function nanos(fraction = ""): bigint {
  return BigInt(fraction.slice(0, 9).padEnd(9, "0"));
}

function within(ns: bigint): bigint {
  return ns < 0n ? 0n : ns > MAX_NS ? MAX_NS : ns;
}

/** The instant that a text names, as `docker logs --since` takes it; undefined where it names none. */
export function parseMoment(text: string): Moment | undefined {
  const agoNs = parseAgo(text);
  if (agoNs !== undefined) return { agoNs: within(agoNs) };
  const atNs = parseSeconds(text) ?? parseTime(text);
  return atNs === undefined ? undefined : { atNs: within(atNs) };
}

/** ISO 8601 in UTC to the nanosecond. */
export function writeNanoseconds(ns: bigint): string {
  const seconds = new Date(Number(ns / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(ns % 1_000_000_000n).padStart(9, "0")}Z`;
}

/** @param description what the instant bounds, a sentence */
export function momentParameter(description: string) {
  const given = z.string().transform((text, ctx): Moment => {
    const moment = parseMoment(text);
    if (moment) return moment;
    ctx.addIssue({
      code: "custom",
      message:
        "Must be a time (2026-03-31T12:00:00Z), a date, seconds since 1970, or how long ago (10m, 1h30m, 2d)",
      params: { type: "datetime_parsing" },
    });
    return z.NEVER;
  });
  return parameter(given).meta({
    type: "string",
    description: `${description} A time with its offset (in a URL, \`+\` is \`%2B\`), a date, seconds since 1970, or how long ago: \`10m\`, \`1h30m\`, \`2d\`.`,
  });
}
