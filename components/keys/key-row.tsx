"use client";

import { Trash2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { describeKey } from "@/lib/client/public-key-text";
import { AttachedTo, type Instance, type Secret } from "./attached-to";
import { DeleteKeyDialog } from "./delete-key-dialog";
import { Fingerprint, KeyKind } from "./key-facts";

interface KeyRowProps {
  secret: Secret;
  /** Absent while that is not known. */
  attachedTo: Instance[] | undefined;
  onDeleted: () => void;
}

export function KeyRow({ secret, attachedTo, onDeleted }: KeyRowProps) {
  const t = useTranslations("keys");
  const format = useFormatter();
  const [deleting, setDeleting] = useState(false);
  const kind = describeKey(secret.value);
  return (
    <li data-row tabIndex={-1} className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 grow space-y-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="min-w-0 break-words font-medium">{secret.name}</h2>
          {kind && <KeyKind {...kind} />}
        </div>
        <Fingerprint value={secret.fingerprint} />
        {secret.description && <p className="break-words text-sm">{secret.description}</p>}
        <p className="text-sm text-subtle">
          {t("added", { date: format.dateTime(new Date(secret.created_at), { dateStyle: "medium" }) })}
          {attachedTo && (
            <>
              {" · "}
              {attachedTo.length === 0 ? t("attachedNowhere") : <AttachedTo instances={attachedTo} />}
            </>
          )}
        </p>
      </div>
      <CopyButton text={secret.value} label={t("publicLineOf", { name: secret.name })} />
      <Button
        variant="ghost"
        size="iconSm"
        aria-label={t("delete.button", { name: secret.name })}
        onClick={() => setDeleting(true)}
      >
        <Trash2 aria-hidden="true" />
      </Button>
      {deleting && (
        <DeleteKeyDialog
          secret={secret}
          attachedTo={attachedTo ?? []}
          onClose={() => setDeleting(false)}
          onDeleted={onDeleted}
        />
      )}
    </li>
  );
}
