"use client";

import { useFormatter, useTranslations } from "next-intl";
import { type Scope, scopeAreas, scopes } from "@/lib/contract/words";

/** All that a person who is no operator can give a key. */
export const everyScope: readonly Scope[] = scopes.filter((scope) => !scope.startsWith("operator:"));
export const readScopes: readonly Scope[] = everyScope.filter((scope) => scope.endsWith(":read"));

/** What a key may do, in a few words. */
export function ScopeSummary({ scopes: given }: { scopes: readonly Scope[] }) {
  const t = useTranslations("keys.apiKeys.scopes");
  const format = useFormatter();
  const operator = given.some((scope) => scope.startsWith("operator:")) ? ["operator" as const] : [];
  if (everyScope.every((scope) => given.includes(scope)))
    return format.list([t("full"), ...operator.map((area) => t(`areas.${area}`))]);
  if (given.length === readScopes.length && readScopes.every((scope) => given.includes(scope)))
    return t("readOnly");
  const parts = scopeAreas.flatMap((area) => {
    const [reads, writes] = [given.includes(`${area}:read`), given.includes(`${area}:write`)];
    if (!reads && !writes) return [];
    const how = reads && writes ? "both" : reads ? "read" : "write";
    return [t("part", { area: t(`areas.${area}`), how: t(how) })];
  });
  return parts.length === 0 ? t("none") : parts.join("; ");
}
