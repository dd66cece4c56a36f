"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { quoteForShell } from "@/lib/client/as-curl";
import type { AnswerOf } from "@/lib/client/call-operation";

/** A key that was just made, the one time that it can be read. */
export function ShownOnce({
  made,
  onClose,
}: {
  made: AnswerOf<"createApiKey">["data"];
  onClose: () => void;
}) {
  const t = useTranslations("keys.apiKeys.once");
  const curl = `curl -sS ${quoteForShell(`${window.location.origin}/v0/account`)} -H "X-Api-Key: $BERTH_API_KEY"`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("title", { name: made.name })}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t("close")}
        </Button>
      }
    >
      {made.api_key === null ? (
        <p className="text-sm">{t("gone")}</p>
      ) : (
        <div className="space-y-3 text-sm">
          <p role="status">{t("text")}</p>
          <CodeBlock label={t("key")} text={made.api_key} />
          <p>{t("try")}</p>
          <CodeBlock label="curl" text={`export BERTH_API_KEY=${made.api_key}\n${curl}`} />
        </div>
      )}
    </Dialog>
  );
}
