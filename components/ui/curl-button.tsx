"use client";

import { SquareTerminal } from "lucide-react";
import { useTranslations } from "next-intl";
import { asCurl } from "@/lib/client/as-curl";
import type { Call } from "@/lib/client/call-operation";
import type { OperationName } from "@/lib/contract/operations";
import { Button } from "./button";
import { CodeBlock } from "./copy-button";
import { Popover } from "./popover";

/** Shows what the page does here as a line for a shell. */
export function CurlButton<Name extends OperationName>({ name, call }: { name: Name; call?: Call<Name> }) {
  const t = useTranslations("common");
  return (
    <Popover
      label={t("curl.title")}
      className="w-[34rem]"
      align="end"
      trigger={
        <Button variant="ghost" size="sm">
          <SquareTerminal aria-hidden="true" />
          {t("actions.asCurl")}
        </Button>
      }
    >
      <Curl name={name} {...(call ? { call } : {})} />
    </Popover>
  );
}

function Curl<Name extends OperationName>({ name, call }: { name: Name; call?: Call<Name> }) {
  const t = useTranslations("common.curl");
  return (
    <div className="space-y-2">
      <p className="text-sm font-medium">{t("title")}</p>
      <CodeBlock text={asCurl(window.location.origin, name, call)} label="curl" />
      <p className="text-xs text-subtle">{t("hint")}</p>
    </div>
  );
}
