"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "./button";

const SHOWN_MS = 2_000;

/** Copies `text`; `label` says what it is, for screen readers. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useTranslations("common.actions");
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <>
      <Button
        variant="ghost"
        size="iconSm"
        aria-label={`${t("copy")}: ${label}`}
        onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      </Button>
      <span role="status" className="sr-only">
        {copied ? t("copied") : ""}
      </span>
    </>
  );
}

/** Lines to paste elsewhere, with a button that copies them. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-start gap-1 rounded-md border bg-muted">
      <pre className="min-w-0 grow whitespace-pre-wrap break-all px-3 py-2 font-mono text-xs leading-5">
        {text}
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
