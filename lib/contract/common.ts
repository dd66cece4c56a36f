import { z } from "zod";
import { currencies, type Locale, locales } from "./words";

/** The message by which `toDetail` knows a missing field; null where a value is needed counts as missing. */
export const FIELD_REQUIRED = "Field required";

export const required = {
  error: (issue: { input?: unknown }) =>
    issue.input === undefined || issue.input === null ? FIELD_REQUIRED : undefined,
};

/** False for a string that PostgreSQL or UTF-8 cannot hold: one with U+0000 or a lone surrogate. */
export function isStorableText(value: string): boolean {
  return !value.includes("\u0000") && !/\p{Surrogate}/u.test(value);
}

/** A string of a request: `min` to `max` UTF-16 units, without U+0000 and lone surrogates; nothing is trimmed. */
export function text({ min = 0, max }: { min?: number; max: number }) {
  const limited = z.string(required).max(max);
  return (min > 0 ? limited.min(min) : limited).refine(isStorableText, {
    message: "Must not contain U+0000 or a lone surrogate",
    params: { type: "string_unicode" },
  });
}

/**
 * An id or translit name that a client sends. One of any shape that names nothing is a 404 and never a 422, so what
 * no row can hold (too long, U+0000, lone surrogates) becomes "", which names nothing.
 */
export function reference() {
  return z.string(required).transform((value) => (value.length <= 200 && isStorableText(value) ? value : ""));
}

/** A finite number of a request. */
export function number() {
  return z.number(required);
}

export function flag() {
  return z.boolean(required);
}

export function choice<const V extends readonly [string, ...string[]]>(values: V) {
  return z.enum(values, required);
}

/** `null` and absent are one: undefined. */
export function optional<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** `null` and absent are one: the default. */
export function withDefault<S extends z.ZodType, const D>(schema: S, value: D) {
  return schema
    .nullish()
    .transform((given) => given ?? value)
    .meta({ default: value });
}

type Blank = null | undefined | "" | [];

function isBlank(value: unknown): value is Blank {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

/** A field for which `null`, `""` and `[]` mean absent: undefined. */
export function blankable<S extends z.ZodType>(schema: S) {
  return z
    .preprocess((value: z.input<S> | Blank) => (isBlank(value) ? undefined : value), schema.optional())
    .optional();
}

/** As `blankable`, with a default for absent. */
export function blankableWithDefault<S extends z.ZodType, const D>(schema: S, value: D) {
  return blankable(schema)
    .transform((given) => given ?? value)
    .meta({ default: value });
}

/** What `readQuery` gives: a list stands for a parameter that came more than once. */
type RawParameter = string | string[] | undefined;

/** A query parameter: empty counts as absent, repeated is refused. */
export function parameter<S extends z.ZodType<unknown, string>>(schema: S) {
  const once = z.transform((value: RawParameter, ctx): string | undefined => {
    if (Array.isArray(value)) {
      ctx.addIssue({
        code: "custom",
        message: "Give this parameter only once",
        params: { type: "repeated_parameter" },
      });
      return z.NEVER;
    }
    return value === "" ? undefined : value;
  });
  return z.pipe(once, schema.optional()).optional();
}

export function parameterWithDefault<S extends z.ZodType<unknown, string>, const D>(schema: S, value: D) {
  return parameter(schema)
    .transform((given) => given ?? value)
    .meta({ default: value });
}

/** A query parameter of digits. */
export function integerParameter({ min, max, absent }: { min: number; max: number; absent: number }) {
  const digits = z
    .string()
    .refine((value) => /^[0-9]{1,15}$/.test(value), {
      message: "Must be a whole number written in digits",
      params: { type: "int_parsing" },
      abort: true,
    })
    .transform(Number)
    .pipe(z.number().min(min).max(max));
  return parameterWithDefault(digits, absent).meta({ type: "integer", minimum: min, maximum: max });
}

export const MAX_LIMIT = 1000;
const MAX_START = 1_000_000_000;

/** Paging of a list by its query. */
export const pagingParameters = {
  start: integerParameter({ min: 0, max: MAX_START, absent: 0 }).meta({
    description: "How many matches to skip.",
  }),
  limit: integerParameter({ min: 1, max: MAX_LIMIT, absent: MAX_LIMIT }).meta({
    description: "How many matches to answer at most.",
  }),
};

/** Paging of the search, in its body. */
export const pagingFields = {
  start: blankableWithDefault(number().int().min(0).max(MAX_START), 0).meta({
    description: "How many matches to skip.",
  }),
  limit: blankableWithDefault(number().int().min(1).max(MAX_LIMIT), MAX_LIMIT).meta({
    description: "How many matches to answer at most.",
  }),
};

export const currencyParameter = parameterWithDefault(z.enum(currencies), "USD").meta({
  description: "The currency of every price in the request and the answer.",
});

/** `lang` is an alias; `withLocale` makes one `locale` of both. */
export const localeParameters = {
  locale: parameter(z.enum(locales)).meta({
    description: "The language of descriptions. Default: en.",
  }),
  lang: parameter(z.enum(locales)).meta({ description: "Another name for `locale`, which wins." }),
};

export function withLocale<Q extends { locale?: Locale; lang?: Locale }>(query: Q) {
  const { lang, locale, ...rest } = query;
  return { ...rest, locale: locale ?? lang ?? ("en" as const) };
}

/** The parameters of a query string by name, for parsing by an operation's `query` schema. */
export function readQuery(searchParams: URLSearchParams): Record<string, string | string[]> {
  const entries = [...new Set(searchParams.keys())].map((name) => {
    const [first = "", ...more] = searchParams.getAll(name);
    return [name, more.length > 0 ? [first, ...more] : first] as const;
  });
  return Object.fromEntries(entries);
}

/** ISO 8601 in UTC, as `Date.toISOString` writes it. */
export const timestamp = z.iso.datetime();

export const count = z.number().int().nonnegative();

/** The envelope of an answer that carries one payload. */
export function envelope<D extends z.ZodType>(data: D) {
  return z.strictObject({ ok: z.literal(true), data });
}

/** The envelope of a list; `total_items` counts all matches, not only those on the page. */
export function listEnvelope<E extends z.ZodType>(element: E) {
  return z.strictObject({ ok: z.literal(true), data: z.array(element), total_items: count });
}

/** The envelope of an operation that returns nothing. */
export const emptyEnvelope = envelope(z.null()).meta({ id: "Done" });
