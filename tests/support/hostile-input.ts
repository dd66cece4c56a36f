import fc from "fast-check";
import type { z } from "zod";
import type { Operation } from "@/lib/contract/operation";

/** Planted in what is sent: an error must never repeat it. */
export const MARKER = "zzPLANTEDzz";

const long = (length: number) => JSON.stringify(MARKER + "x".repeat(length));

const strings = [
  `"${MARKER}"`,
  '""',
  '" "',
  '"\\u0000"',
  `"${MARKER}\\u0000"`,
  '"\\ud800"',
  `"\\udfff${MARKER}"`,
  '"\\ud83d\\ude00"',
  `"'; DROP TABLE instance; -- ${MARKER}"`,
  '"%00%ff%s%n"',
  '"../../etc/passwd"',
  '"__proto__"',
  '"constructor"',
  '"#{7*7}{{7*7}}"',
  '"\\u202e\\ufeff\\u2028"',
  '"\\r\\nSet-Cookie: x=y"',
  '"1e400"',
  '"NaN"',
  '"Infinity"',
  '"2038-01-19T03:14:08Z"',
  `"ssh-ed25519 ${MARKER}"`,
  `"-----BEGIN OPENSSH PRIVATE KEY-----${MARKER}"`,
  `"${MARKER}/image@sha256:zz"`,
  `"https://${MARKER}.example:99999/"`,
  `"-p ${MARKER}:99999/udp -e =x"`,
];

const numbers = [
  "0",
  "-0",
  "1",
  "-1",
  "0.1",
  "1e400",
  "-1e400",
  "1e308",
  "-1e308",
  "1e-400",
  "5e-324",
  "1e21",
];
numbers.push("9007199254740993", "9223372036854775808", "-9223372036854775809", "2147483648", "0.0000001");

const notJson = [
  "NaN",
  "Infinity",
  "undefined",
  "01",
  "0x10",
  "1.",
  ".5",
  "'x'",
  '"\u0001"',
  "//x",
  "{,}",
  "[1,]",
];

const structures = [
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[null]",
  "[[[[]]]]",
  `["${MARKER}",1,null,{},[]]`,
  `{"${MARKER}":"${MARKER}"}`,
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":null,"valueOf":1,"length":-1,"then":1,"toJSON":"x"}',
  '{"8080":"tcp","__proto__":"tcp","0":"udp"}',
  '{"amount":1,"unit":"gb"}',
];

const large = [
  long(70_000),
  `[${Array(10_000).fill("1").join()}]`,
  `[${Array(10_000).fill(`"${MARKER}"`).join()}]`,
  `{${Array.from({ length: 5_000 }, (_, i) => `"${MARKER}${i}":${i}`).join()}}`,
  `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
];

/** JSON text of a value that nobody means well with. */
const hostileValue = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...strings) },
  { weight: 20, arbitrary: fc.constantFrom(...numbers) },
  { weight: 20, arbitrary: fc.constantFrom(...structures) },
  { weight: 12, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 8, arbitrary: fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)) },
  { weight: 6, arbitrary: fc.double().map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: fc.constantFrom(...notJson) },
  { weight: 1, arbitrary: fc.constantFrom(...large) },
);

/** The names of a schema's fields, with those one level down as `outer.inner`. */
function fieldNames(body: z.ZodObject): { name: string; inner: string[] }[] {
  return Object.entries(body.shape).map(([name, field]) => ({ name, inner: innerNames(field, 0) }));
}

function innerNames(schema: unknown, depth: number): string[] {
  if (depth > 6 || typeof schema !== "object" || schema === null) return [];
  if ("shape" in schema && typeof schema.shape === "object" && schema.shape) return Object.keys(schema.shape);
  if (!("def" in schema) || typeof schema.def !== "object" || !schema.def) return [];
  const { innerType, out, in: into } = { innerType: null, out: null, in: null, ...schema.def };
  return [innerType, out, into].flatMap((next) => innerNames(next, depth + 1));
}

function hostileField({ name, inner }: { name: string; inner: string[] }): fc.Arbitrary<[string, string]> {
  const whole = hostileValue.map((text): [string, string] => [name, text]);
  if (inner.length === 0) return whole;
  const parts = fc.uniqueArray(fc.tuple(fc.constantFrom(...inner), hostileValue), {
    minLength: 1,
    maxLength: 4,
    selector: ([field]) => field,
  });
  const within = parts.map((fields): [string, string] => [name, writeObject(fields)]);
  return fc.oneof({ weight: 1, arbitrary: whole }, { weight: 4, arbitrary: within });
}

function writeObject(fields: [string, string][]): string {
  return `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`;
}

const strangeNames = ["__proto__", "constructor", "prototype", "", "\u0000", MARKER, "id", "user_id", "ok"];

export interface HostileBody {
  bytes: Uint8Array;
  contentType: string | undefined;
}

/** Bodies around a good one: most are JSON with some fields spoiled, so that every layer is reached. */
export function hostileBody(body: z.ZodObject, good: object): fc.Arbitrary<HostileBody> {
  const base = Object.entries(good).map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
  const fields = fieldNames(body);
  const spoiled = fc.array(fc.oneof(...fields.map(hostileField)), { minLength: 1, maxLength: 3 });
  const strange = fc.array(fc.tuple(fc.constantFrom(...strangeNames), hostileValue), { maxLength: 1 });
  const text = fc.oneof(
    // A duplicate key: the last one counts.
    { weight: 80, arbitrary: fc.tuple(spoiled, strange).map(([a, b]) => writeObject([...base, ...b, ...a])) },
    { weight: 8, arbitrary: spoiled.map(writeObject) },
    { weight: 4, arbitrary: hostileValue },
  );
  const deep = `{"query":${"[".repeat(200_000)}${"]".repeat(50_000)}`;
  const raw = fc.oneof(
    { weight: 400, arbitrary: text.map((written) => Buffer.from(written)) },
    { weight: 15, arbitrary: text.map((written) => Buffer.from(`\ufeff${written}`)) },
    { weight: 15, arbitrary: fc.tuple(text, fc.nat()).map(([written, at]) => cut(written, at)) },
    { weight: 15, arbitrary: fc.tuple(text, fc.nat()).map(([written, at]) => spoilUtf8(written, at)) },
    { weight: 10, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    { weight: 1, arbitrary: fc.constant(Buffer.from(deep)) },
    { weight: 1, arbitrary: fc.constant(Buffer.from(`{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)) },
  );
  const contentType = fc.oneof(
    { weight: 20, arbitrary: fc.constant("application/json") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(undefined, "", "text/plain", "application/x-www-form-urlencoded", ";;"),
    },
  );
  return fc.record({ bytes: raw, contentType });
}

function cut(text: string, at: number): Uint8Array {
  return Buffer.from(text.slice(0, at % (text.length + 1)));
}

function spoilUtf8(text: string, at: number): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length > 0) bytes[at % bytes.length] = 0xff;
  return bytes;
}

const hostileSegment = fc.oneof(
  fc
    .string({ unit: "binary", maxLength: 40 })
    .map((text) => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, "?"))),
  fc.constantFrom(
    "%ff",
    "%00",
    "%",
    "%u0041",
    "%2e%2e",
    "..",
    "%2f",
    "%5c",
    "a%20b",
    "inst_%00",
    "%f0%9f%98%80",
  ),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "null",
    "*",
    MARKER,
    "%ED%A0%80",
    "x".repeat(5_000),
    "create",
    "🦄",
  ),
);

const parameterNames = [
  "currency",
  "locale",
  "lang",
  "sort_by",
  "type",
  "start",
  "limit",
  "action",
  "secret_id",
  "from",
  "to",
  "kind",
  "account",
  "instance_id",
  "after",
  "subject_id",
];
parameterNames.push("__proto__", "constructor", MARKER, "%ff", "%00", "start[]", "");

const parameterValues = [
  "",
  "USD",
  "rub",
  "ru",
  "-1",
  "1e9",
  "1001",
  "99999999999999999999",
  "%ff",
  "%00",
  "NaN",
];
parameterValues.push(
  MARKER,
  "null",
  "[]",
  "%F0%9F%98%80",
  "0x10",
  "1.5",
  " 1",
  "x".repeat(3_000),
  "name_asc",
  "ssh",
  "0000-01-01",
  "9999-12-31",
  "-271821-04-20",
  "2026-02-29",
  "0001-01-01T00:00:00%2B23:59",
  "9999-12-31T23:59:59.999999999-23:59",
  "earnings",
);

const parameter = fc.tuple(fc.constantFrom(...parameterNames), fc.constantFrom(...parameterValues));

const headerNames = [
  "x-request-id",
  "idempotency-key",
  "content-type",
  "accept",
  "origin",
  "sec-fetch-site",
  "cookie",
];
headerNames.push(
  "x-forwarded-for",
  "content-length",
  "if-none-match",
  "range",
  "x-http-method-override",
  "last-event-id",
);

const headerValues = [
  "",
  "*",
  MARKER,
  "\xff\xfe",
  "a, b",
  "-1",
  "1e9",
  "null",
  "x".repeat(2_000),
  "better-auth.session_token=%ff",
];
headerValues.push(
  "__proto__",
  "application/json",
  "text/event-stream",
  "text/csv",
  "http://evil.example",
  "cross-site",
  "127.0.0.1",
  "bytes=0-0",
  "::1",
);

const header = fc.tuple(fc.constantFrom(...headerNames), fc.constantFrom(...headerValues));

export interface HostileCall {
  path: string;
  headers: Record<string, string>;
  withKey: boolean;
}

/** Paths, queries and headers around an operation; `goodPath` is its own. */
export function hostileCall(operation: Operation, goodPath: string): fc.Arbitrary<HostileCall> {
  const spoiledPath = hostileSegment.map((segment) => operation.path.replaceAll(/\{\w+\}/g, segment));
  const path = fc.oneof(fc.constant(goodPath), spoiledPath);
  const query = fc
    .array(parameter, { maxLength: 4 })
    .map((given) => given.map(([name, value]) => `${name}=${value}`).join("&"));
  return fc.record({
    path: fc.tuple(path, query).map(([before, after]) => (after ? `${before}?${after}` : before)),
    headers: fc.array(header, { maxLength: 3 }).map((given) => Object.fromEntries(given)),
    withKey: fc.integer({ min: 0, max: 19 }).map((roll) => roll > 0),
  });
}
