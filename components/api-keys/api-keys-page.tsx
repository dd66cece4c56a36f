"use client";

import { useQuery } from "@tanstack/react-query";
import { Bot, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CurlButton } from "@/components/ui/curl-button";
import { Page, PageHeader } from "@/components/ui/page-header";
import { EmptyState, Problem, SkeletonRows } from "@/components/ui/states";
import { operationQuery } from "@/lib/client/operation-query";
import { type ApiKey, ApiKeyRow, isOver } from "./api-key-row";

const NewKeyDialog = dynamic(() => import("./new-key-dialog").then((file) => file.NewKeyDialog));
const RollKeyDialog = dynamic(() => import("./roll-key-dialog").then((file) => file.RollKeyDialog));
const RevokeKeyDialog = dynamic(() => import("./revoke-key-dialog").then((file) => file.RevokeKeyDialog));

/** One's API keys: those that work, and below them those that do no more. */
export function ApiKeysPage() {
  const t = useTranslations("keys.apiKeys");
  const [making, setMaking] = useQueryState("new", parseAsString);
  const [asked, setAsked] = useState<{ what: "roll" | "revoke"; of: ApiKey } | null>(null);
  const list = useQuery(operationQuery("listApiKeys"));
  const add = (
    <Button variant="primary" onClick={() => setMaking("")}>
      <Plus aria-hidden="true" />
      {t("new.button")}
    </Button>
  );
  const keys = list.data?.data ?? [];
  const over = keys.filter((key) => isOver(key));
  const good = keys.filter((key) => !isOver(key));
  const rows = (shown: ApiKey[]) => (
    <ul className="divide-y rounded-xl border bg-surface">
      {shown.map((key) => (
        <ApiKeyRow
          key={key.id}
          apiKey={key}
          onRoll={() => setAsked({ what: "roll", of: key })}
          onRevoke={() => setAsked({ what: "revoke", of: key })}
        />
      ))}
    </ul>
  );
  return (
    <Page>
      <PageHeader
        title={t("title")}
        description={t("lead")}
        actions={
          <>
            <CurlButton name="listApiKeys" />
            {add}
          </>
        }
      />
      {list.isPending ? (
        <SkeletonRows rows={3} className="h-20" />
      ) : list.error ? (
        <Problem error={list.error} retry={() => list.refetch()} />
      ) : good.length === 0 ? (
        <EmptyState icon={<Bot aria-hidden="true" />} title={t("empty.title")} action={add}>
          {t("empty.text")}
        </EmptyState>
      ) : (
        rows(good)
      )}
      {over.length > 0 && (
        <details className="mt-6">
          <summary className="cursor-pointer py-2 text-sm font-medium">
            {t("over", { count: over.length })}
          </summary>
          <div className="mt-2">{rows(over)}</div>
        </details>
      )}
      {making !== null && <NewKeyDialog onClose={() => setMaking(null)} />}
      {asked?.what === "roll" && <RollKeyDialog apiKey={asked.of} onClose={() => setAsked(null)} />}
      {asked?.what === "revoke" && <RevokeKeyDialog apiKey={asked.of} onClose={() => setAsked(null)} />}
    </Page>
  );
}
