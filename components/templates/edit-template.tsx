"use client";

import { useQuery } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import { useTranslations } from "next-intl";
import { useVisitor } from "@/components/shell/visitor";
import { Problem } from "@/components/ui/states";
import { ApiError } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { emptyTemplate, toEditorValues } from "./editor-values";
import { TemplateEditor } from "./template-editor";
import { TemplatesSkeleton } from "./templates-skeleton";

interface EditTemplateProps {
  /** The one to change, or to begin a new one from; absent: a new one from nothing. */
  templateId?: string;
  isCopy?: boolean;
}

/** The editor, with what it begins from in hand. */
export function EditTemplate({ templateId, isCopy = false }: EditTemplateProps) {
  const t = useTranslations("templates.editor");
  const visitor = useVisitor();
  // What is being typed must not be thrown away by a later answer.
  const template = useQuery({
    ...operationQuery("getTemplate", { params: { template_id: templateId ?? "" } }),
    enabled: templateId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (templateId === undefined) return <TemplateEditor initial={emptyTemplate} />;
  if (template.error instanceof ApiError && template.error.status === 404) notFound();
  if (template.error) return <Problem error={template.error} retry={() => template.refetch()} />;
  if (!template.data) return <TemplatesSkeleton />;
  const found = template.data.data;
  const values = toEditorValues(found);
  if (isCopy) return <TemplateEditor initial={{ ...values, name: t("copyOf", { name: values.name }) }} />;
  if (found.owner_id !== visitor?.id) notFound();
  return <TemplateEditor template={found} initial={values} />;
}
