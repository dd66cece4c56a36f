import type { Locale } from "../contract/words";

/** One file a feature and language; `en` is what the compiler holds keys against. */
export const namespaces = [
  "account",
  "billing",
  "common",
  "docs",
  "home",
  "hosts",
  "instances",
  "keys",
  "market",
  "operator",
  "rent",
  "shell",
  "sign-in",
  "templates",
] as const;
export type Namespace = (typeof namespaces)[number];

/** Every text of a language. A file that is not there is a failed build. */
export async function loadMessages(locale: Locale) {
  const files = await Promise.all(
    namespaces.map(async (name) => {
      const file: { default: object } = await import(`../../messages/${locale}/${name}.json`);
      return [name, file.default] as const;
    }),
  );
  return Object.fromEntries(files);
}

/** The texts of some features: a page sends the browser no others. */
export function pickMessages<M extends object>(messages: M, names: readonly Namespace[]): Partial<M> {
  return Object.fromEntries(
    Object.entries(messages).filter(([name]) => names.some((n) => n === name)),
  ) as Partial<M>;
}
