"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/copy-button";
import { CurlButton } from "@/components/ui/curl-button";
import { Sheet } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { useProblemText } from "@/components/ui/states";
import { type AnswerOf, callOperation } from "@/lib/client/call-operation";
import type { Host } from "./host-queries";
import { JoiningMachine } from "./joining-machine";
import { OpenTokens } from "./open-tokens";

export type NewToken = AnswerOf<"createHostToken">["data"];

const needs = ["system", "engine", "node", "ports"] as const;
const lifetimes = ["1", "24", "168"] as const;
const INSTALL = "npm install --no-save --ignore-scripts";

interface JoinSheetProps {
  /** The token made here, if one was. */
  token: NewToken | null;
  onToken: (token: NewToken | null) => void;
  onClose: () => void;
  hosts: readonly Host[];
}

/** The way of a machine onto the market: what it needs, a token, the command to paste, its arrival, its price. */
export function JoinSheet({ token, onToken, onClose, hosts }: JoinSheetProps) {
  const t = useTranslations("hosts.joining");
  const explain = useProblemText();
  const queries = useQueryClient();
  const [hours, setHours] = useState<(typeof lifetimes)[number]>("24");
  const call = { body: { expires_in_hours: Number(hours) } };
  // Without an Idempotency-Key: a repeat under it would answer without the token.
  const make = useMutation({
    mutationFn: () => callOperation("createHostToken", call),
    onSuccess: ({ data }) => {
      onToken(data);
      void queries.invalidateQueries({ queryKey: ["listHostTokens"] });
    },
  });
  return (
    <Sheet
      open
      onOpenChange={(open) => open || onClose()}
      title={t("title")}
      description={t("lead")}
      footer={<Button onClick={onClose}>{t("done")}</Button>}
    >
      <div className="space-y-6 text-sm">
        {token ? (
          <JoiningMachine token={token} hosts={hosts} onAgain={() => onToken(null)} />
        ) : (
          <>
            <section className="space-y-2">
              <h3 className="font-medium">{t("needs")}</h3>
              <ul className="list-outside list-disc space-y-1 pl-5 text-subtle">
                {needs.map((need) => (
                  <li key={need}>{t(`need.${need}`)}</li>
                ))}
              </ul>
            </section>
            <section className="space-y-2">
              <h3 className="font-medium">{t("prepare")}</h3>
              <CodeBlock text={INSTALL} label={t("prepare")} />
            </section>
            <div className="flex flex-wrap items-end gap-3">
              <Field label={t("expires")} className="w-40">
                <Select
                  aria-label={t("expires")}
                  value={hours}
                  onChange={setHours}
                  choices={lifetimes.map((value) => ({ value, label: t("hours", { hours: Number(value) }) }))}
                />
              </Field>
              <Button variant="primary" busy={make.isPending} onClick={() => make.mutate()}>
                {t("make")}
              </Button>
              <CurlButton name="createHostToken" call={call} />
            </div>
            {make.error && (
              <p role="alert" className="text-danger">
                {explain(make.error)}
              </p>
            )}
          </>
        )}
        <OpenTokens except={token?.id} />
      </div>
    </Sheet>
  );
}
