"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Field, Input } from "@/components/ui/field";

interface Entry {
  id: string;
  method: string;
  path: string;
  summary: string;
  scope: string | null;
}

interface OperationFilterProps {
  groups: readonly { tag: string; operations: readonly Entry[] }[];
  /** The operations themselves. */
  children: ReactNode;
}

/** The list of operations beside them, which a few letters make shorter. */
export function OperationFilter({ groups, children }: OperationFilterProps) {
  const t = useTranslations("docs");
  const [wanted, setWanted] = useState("");
  const words = wanted.toLowerCase().split(/\s+/);
  const fits = ({ id, method, path, summary, scope }: Entry) => {
    const text = `${method} ${path} ${id} ${summary} ${scope ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const shown = groups
    .map((group) => ({ ...group, operations: group.operations.filter(fits) }))
    .filter((group) => group.operations.length > 0);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <div className="lg:sticky lg:top-18 lg:max-h-[calc(100dvh-5.5rem)] lg:self-start lg:overflow-y-auto lg:p-1">
        <Field label={t("filter")}>
          <Input data-search="" type="search" value={wanted} onValueChange={setWanted} autoComplete="off" />
        </Field>
        <nav aria-label={t("parts")} className="mt-3 max-h-64 overflow-y-auto lg:max-h-none">
          {shown.map(({ tag, operations }) => (
            <div key={tag} className="py-1.5">
              <a href={`#tag-${tag}`} className="block py-0.5 text-sm font-medium hover:underline">
                {tag}
              </a>
              <ul>
                {operations.map(({ id, summary }) => (
                  <li key={id}>
                    <a
                      href={`#${id}`}
                      data-row=""
                      className="block truncate rounded px-2 py-1 text-xs text-subtle hover:bg-muted hover:text-foreground"
                    >
                      {summary}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {shown.length === 0 && <p className="py-3 text-sm text-subtle">{t("nothing")}</p>}
        </nav>
      </div>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
