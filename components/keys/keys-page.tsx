"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { CurlButton } from "@/components/ui/curl-button";
import { Page, PageHeader } from "@/components/ui/page-header";
import { EmptyState, Problem, SkeletonRows } from "@/components/ui/states";
import { operationQuery } from "@/lib/client/operation-query";
import { KeyRow } from "./key-row";

const AddKeysDialog = dynamic(() => import("./add-keys-dialog").then((file) => file.AddKeysDialog));

/** One's SSH keys: what they are, and which instances let them in. */
export function KeysPage() {
  const t = useTranslations("keys");
  const [adding, setAdding] = useQueryState("add", parseAsString);
  const list = useRef<HTMLUListElement>(null);
  const secrets = useQuery(operationQuery("listSecrets"));
  const instances = useQuery(operationQuery("listInstances"));
  const add = (
    <Button variant="primary" onClick={() => setAdding("")}>
      <Plus aria-hidden="true" />
      {t("addOne")}
    </Button>
  );
  return (
    <Page>
      <PageHeader
        title={t("title")}
        description={t("lead")}
        actions={
          <>
            <CurlButton name="listSecrets" />
            {add}
          </>
        }
      />
      {secrets.isPending ? (
        <SkeletonRows rows={3} className="h-20" />
      ) : secrets.error ? (
        <Problem error={secrets.error} retry={() => secrets.refetch()} />
      ) : secrets.data.data.length === 0 ? (
        <EmptyState icon={<KeyRound aria-hidden="true" />} title={t("empty.title")} action={add}>
          {t("empty.text")}
        </EmptyState>
      ) : (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={t("title")}
          className="divide-y rounded-xl border bg-surface outline-none"
        >
          {secrets.data.data.map((secret) => (
            <KeyRow
              key={secret.id}
              secret={secret}
              attachedTo={instances.data?.data.filter(({ ssh_keys }) =>
                ssh_keys.some(({ id }) => id === secret.id),
              )}
              onDeleted={() => list.current?.focus()}
            />
          ))}
        </ul>
      )}
      {adding !== null && (
        <AddKeysDialog
          way={adding === "pair" ? "pair" : "paste"}
          onWay={(way) => setAdding(way === "pair" ? "pair" : "")}
          onClose={() => setAdding(null)}
          own={secrets.data?.data ?? []}
        />
      )}
    </Page>
  );
}
