"use client";

import { useTranslations } from "next-intl";
import { CodeBlock } from "@/components/ui/copy-button";

/** A link that nobody sees again. */
export function ShownOnce({ url, label, children }: { url: string | null; label: string; children: string }) {
  const t = useTranslations("operator.link");
  return (
    <div className="space-y-3 text-sm">
      <p>{children}</p>
      {url === null ? <p role="alert">{t("gone")}</p> : <CodeBlock text={url} label={label} />}
      <p className="text-subtle">{t("once")}</p>
    </div>
  );
}
