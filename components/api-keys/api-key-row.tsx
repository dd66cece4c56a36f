"use client";

import { useFormatter, useNow, useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { AnswerOf } from "@/lib/client/call-operation";
import { ScopeSummary } from "./scope-summary";

export type ApiKey = AnswerOf<"listApiKeys">["data"][number];

/** Revoked or expired: it opens nothing. */
export function isOver({ revoked_at, expires_at }: ApiKey): boolean {
  return revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= Date.now());
}

interface ApiKeyRowProps {
  apiKey: ApiKey;
  onRoll: () => void;
  onRevoke: () => void;
}

export function ApiKeyRow({ apiKey, onRoll, onRevoke }: ApiKeyRowProps) {
  const t = useTranslations("keys.apiKeys");
  const format = useFormatter();
  const now = useNow();
  const day = (at: string) => format.dateTime(new Date(at), { dateStyle: "medium" });
  const { id, name, created_at, expires_at, last_used_at, revoked_at } = apiKey;
  return (
    <li data-row tabIndex={-1} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 grow basis-72 space-y-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="min-w-0 break-words font-medium">{name}</h2>
          <code className="font-mono text-xs text-subtle">ak-{id}_…</code>
          {revoked_at !== null ? (
            <Badge tone="bad">{t("revoked", { date: day(revoked_at) })}</Badge>
          ) : (
            isOver(apiKey) &&
            expires_at && <Badge tone="warning">{t("expired", { date: day(expires_at) })}</Badge>
          )}
        </div>
        <p className="text-sm">
          <ScopeSummary scopes={apiKey.scopes} />
        </p>
        <p className="text-sm text-subtle">
          {t("created", { date: day(created_at) })}
          {" · "}
          {last_used_at === null
            ? t("neverUsed")
            : t("lastUsed", { when: format.relativeTime(new Date(last_used_at), now) })}
          {!isOver(apiKey) && (
            <>
              {" · "}
              {expires_at === null ? t("neverExpires") : t("expires", { date: day(expires_at) })}
            </>
          )}
        </p>
      </div>
      {!isOver(apiKey) && (
        <div className="flex gap-2">
          <Button size="sm" onClick={onRoll} aria-label={t("roll.button", { name })}>
            {t("roll.short")}
          </Button>
          <Button
            size="sm"
            variant="dangerOutline"
            onClick={onRevoke}
            aria-label={t("revoke.button", { name })}
          >
            {t("revoke.short")}
          </Button>
        </div>
      )}
    </li>
  );
}
