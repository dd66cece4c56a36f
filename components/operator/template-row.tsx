"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import { Id, Row } from "./row";
import type { OperatorTemplate } from "./templates-page";

/** A template, with the switch that shows it to everyone: at once, for it is as easily taken back. */
export function TemplateRow({ template }: { template: OperatorTemplate }) {
  const t = useTranslations("operator.templates");
  const common = useTranslations("common");
  const format = useFormatter();
  const explain = useProblemText();
  const queries = useQueryClient();
  const published = template.published_at !== null;
  const publish = useMutation({
    mutationFn: () =>
      callOperation("publishTemplate", {
        params: { template_id: template.id },
        body: { published: !published },
      }),
    onSuccess: () => {
      toast.success(t(published ? "unpublished" : "nowPublished", { name: template.name }));
      return queries.invalidateQueries({ queryKey: ["listOperatorTemplates"] });
    },
    onError: (error) => toast.error(explain(error)),
  });
  const date = (time: string) => format.dateTime(new Date(time), { dateStyle: "medium" });
  return (
    <Row
      title={template.name}
      badges={
        <>
          {published && <Badge tone="good">{t("published")}</Badge>}
          {template.is_private && <Badge tone="warning">{t("private")}</Badge>}
        </>
      }
      sub={<Id value={template.id} />}
      facts={[
        { label: t("image"), value: <span className="break-all">{template.image}</span> },
        { label: t("owner"), value: template.owner.email },
        { label: t("made"), value: date(template.created_at) },
        {
          label: t("publishedAt"),
          value: template.published_at === null ? common("never") : date(template.published_at),
        },
      ]}
      actions={
        <Button
          size="sm"
          aria-label={`${t(published ? "unpublish" : "publish")}: ${template.name}`}
          busy={publish.isPending}
          onClick={() => publish.mutate()}
        >
          {t(published ? "unpublish" : "publish")}
        </Button>
      }
    >
      {published && template.is_private && <p className="text-sm text-subtle">{t("hidden")}</p>}
    </Row>
  );
}
