"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import type { Template } from "./template";
import { TemplateBadges } from "./template-badges";

/** A template of the gallery; its name opens it. */
export function TemplateCard({ template }: { template: Template }) {
  const t = useTranslations("templates");
  return (
    <li className="flex flex-col rounded-xl border bg-surface p-4">
      <h3 className="break-words font-semibold">
        <Link data-row href={`/templates/${template.id}`} className="hover:underline">
          {template.name}
        </Link>
      </h3>
      <p className="mt-1 break-all font-mono text-xs text-subtle">
        {template.image}:{template.image_tag}
      </p>
      <p className="mt-2 line-clamp-3 grow break-words text-sm text-subtle">{template.description}</p>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
        <TemplateBadges template={template} />
        <ButtonLink
          size="sm"
          href={`/market?template=${encodeURIComponent(template.id)}`}
          aria-label={t("rentWithName", { name: template.name })}
        >
          {t("rentWith")}
        </ButtonLink>
      </div>
    </li>
  );
}
