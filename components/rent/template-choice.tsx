"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useVisitor } from "@/components/shell/visitor";
import { LaunchPreview } from "@/components/templates/launch-preview";
import { matchesSearch, type Template, toLaunch } from "@/components/templates/template";
import { Badge } from "@/components/ui/badge";
import { Field, Input } from "@/components/ui/field";

interface TemplateChoiceProps {
  templates: readonly Template[];
  chosen: Template | undefined;
  onChoose: (id: string) => void;
  error?: string | undefined;
}

/** Own templates and presets, with what will run of the chosen one. */
export function TemplateChoice({ templates, chosen, onChoose, error }: TemplateChoiceProps) {
  const t = useTranslations("rent.template");
  const visitor = useVisitor();
  const [search, setSearch] = useState("");
  const found = templates.filter((each) => matchesSearch(each, search));
  return (
    <fieldset className="space-y-3">
      <legend className="mb-2 font-semibold">{t("title")}</legend>
      <Field label={t("search")} hideLabel>
        <Input type="search" value={search} onValueChange={setSearch} placeholder={t("search")} />
      </Field>
      <div className="max-h-60 overflow-y-auto rounded-md border">
        {found.map((template) => (
          <label
            key={template.id}
            className="flex cursor-pointer items-start gap-3 border-b px-3 py-2.5 last:border-0 has-checked:bg-primary-soft has-checked:text-on-primary-soft has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-ring"
          >
            <input
              type="radio"
              name="template"
              className="mt-0.5 size-4 shrink-0 accent-primary outline-none"
              checked={template.id === chosen?.id}
              onChange={() => onChoose(template.id)}
            />
            <span className="min-w-0 text-sm">
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
                {template.name}
                <Badge>{template.owner_id === visitor?.id ? t("own") : t("preset")}</Badge>
              </span>
              <span className="block break-all text-xs opacity-80">
                {template.image}:{template.image_tag}
              </span>
            </span>
          </label>
        ))}
        {found.length === 0 && <p className="px-3 py-4 text-sm text-subtle">{t("nothing")}</p>}
      </div>
      {error && (
        <p role="alert" className="text-danger text-xs">
          {error}
        </p>
      )}
      {chosen && (
        <details className="rounded-md border px-3 py-2">
          <summary className="cursor-pointer text-sm font-medium">
            {t("whatRuns", { name: chosen.name })}
          </summary>
          <div className="pt-3">
            <LaunchPreview launch={toLaunch(chosen)} hidesEnvironment={chosen.owner_id !== visitor?.id} />
          </div>
        </details>
      )}
    </fieldset>
  );
}
