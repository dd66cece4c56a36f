"use client";

import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { Field, Input } from "@/components/ui/field";
import type { PublicKeyLine } from "@/lib/client/public-key-text";
import { Fingerprint, KeyKind } from "./key-facts";

interface FoundKeyProps {
  found: PublicKeyLine;
  name: string;
  onName: (name: string) => void;
  sent: boolean;
  failure: string | undefined;
  /** The name under which the same key is stored already. */
  storedAs: string | undefined;
}

/** A key that was read and is not sent yet: what it is, and what to call it. */
export function FoundKey({ found, name, onName, sent, failure, storedAs }: FoundKeyProps) {
  const t = useTranslations("keys.add");
  return (
    <li className="space-y-2 rounded-lg border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <KeyKind type={found.type} bits={found.bits} />
        {sent ? (
          <Badge tone="good">
            <Check className="size-3" aria-hidden="true" />
            {t("sent")}
          </Badge>
        ) : (
          storedAs !== undefined && <Badge tone="warning">{t("storedAs", { name: storedAs })}</Badge>
        )}
      </div>
      {found.fingerprint && <Fingerprint value={found.fingerprint} />}
      {found.type.startsWith("sk-") && <p className="text-xs text-subtle">{t("hardware")}</p>}
      <Field label={t("name")} error={failure}>
        <Input
          value={name}
          onValueChange={onName}
          maxLength={120}
          placeholder={t("unnamed")}
          disabled={sent}
          autoComplete="off"
        />
      </Field>
    </li>
  );
}
