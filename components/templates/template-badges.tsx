"use client";

import { Lock } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import type { Template } from "./template";

/** How one gets in, and who sees it. */
export function TemplateBadges({ template }: { template: Template }) {
  const t = useTranslations("templates");
  const jupyter = template.use_jupyter_lab ? "JupyterLab" : "Jupyter";
  return (
    <span className="flex flex-wrap gap-1">
      {template.use_ssh && <Badge tone="info">SSH</Badge>}
      {template.use_jupyter && <Badge tone="info">{jupyter}</Badge>}
      {!template.use_ssh && !template.use_jupyter && <Badge>Docker</Badge>}
      {template.is_private && (
        <Badge>
          <Lock className="size-3" aria-hidden="true" />
          {t("private")}
        </Badge>
      )}
      {template.is_published && !template.is_private && <Badge tone="good">{t("published")}</Badge>}
    </span>
  );
}
