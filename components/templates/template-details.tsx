"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Copy, Pencil, Trash2 } from "lucide-react";
import Link from "next/link";
import { notFound, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useVisitor } from "@/components/shell/visitor";
import { Button, ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CurlButton } from "@/components/ui/curl-button";
import { PageHeader } from "@/components/ui/page-header";
import { Problem, useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { ApiError, callOperation } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { LaunchPreview } from "./launch-preview";
import { type Template, toLaunch } from "./template";
import { TemplateBadges } from "./template-badges";
import { TemplatesSkeleton } from "./templates-skeleton";

/** One template: what it runs, what its author says of it, and what can be done with it. */
export function TemplateDetails({ templateId }: { templateId: string }) {
  const t = useTranslations("templates");
  const visitor = useVisitor();
  const query = operationQuery("getTemplate", { params: { template_id: templateId } });
  const answer = useQuery(query);
  if (answer.error instanceof ApiError && answer.error.status === 404) notFound();
  if (answer.error) return <Problem error={answer.error} retry={() => answer.refetch()} />;
  if (!answer.data) return <TemplatesSkeleton />;
  const template = answer.data.data;
  const isOwn = template.owner_id === visitor?.id;
  return (
    <>
      <p className="mb-3 text-sm">
        <Link href="/templates" className="text-primary underline underline-offset-4">
          {t("details.back")}
        </Link>
      </p>
      <PageHeader
        title={template.name}
        description={template.description}
        actions={<Actions template={template} isOwn={isOwn} />}
      />
      <TemplateBadges template={template} />
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-2">
        <Card title={t("details.readme")}>
          {template.readme ? (
            <pre className="whitespace-pre-wrap break-words font-sans text-sm leading-6">
              {template.readme}
            </pre>
          ) : (
            <p className="text-sm text-subtle">{t("details.noReadme")}</p>
          )}
        </Card>
        <div className="space-y-4">
          <Card title={t("details.whatRuns")}>
            <LaunchPreview launch={toLaunch(template)} hidesEnvironment={!isOwn} />
          </Card>
          <Card title={t("details.facts")}>
            <Facts template={template} />
          </Card>
        </div>
      </div>
    </>
  );
}

function Facts({ template }: { template: Template }) {
  const t = useTranslations("templates.details");
  const common = useTranslations("common");
  const disk = template.recommended_disk_space;
  const facts = [
    [t("disk"), disk === null ? common("none") : common("units.gb", { value: disk })],
    ...(template.use_ssh ? [[t("sshUsername"), template.ssh_username]] : []),
    ...(template.jupyter_directory ? [[t("jupyterDirectory"), template.jupyter_directory]] : []),
    ...(template.docker_login ? [[t("registryUser"), template.docker_login]] : []),
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-subtle">{name}</dt>
          <dd className="break-all">{value}</dd>
        </div>
      ))}
      {template.href?.startsWith("https://") && (
        <div className="contents">
          <dt className="text-subtle">{t("website")}</dt>
          <dd className="break-all">
            <a
              href={template.href}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="text-primary underline underline-offset-4"
            >
              {template.href}
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Actions({ template, isOwn }: { template: Template; isOwn: boolean }) {
  const t = useTranslations("templates");
  const actions = useTranslations("common.actions");
  const explain = useProblemText();
  const router = useRouter();
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  const id = encodeURIComponent(template.id);
  const remove = useMutation({
    mutationFn: () => callOperation("deleteTemplate", { params: { template_id: template.id } }),
    onSuccess: async () => {
      toast.success(t("details.deleted"));
      router.push("/templates");
      await queries.invalidateQueries({ queryKey: ["listTemplates"] });
    },
  });
  return (
    <>
      <CurlButton name="getTemplate" call={{ params: { template_id: template.id } }} />
      <ButtonLink href={`/templates/new?from=${id}`}>
        <Copy aria-hidden="true" />
        {t("details.duplicate")}
      </ButtonLink>
      {isOwn && (
        <>
          <ButtonLink href={`/templates/${id}/edit`}>
            <Pencil aria-hidden="true" />
            {actions("edit")}
          </ButtonLink>
          <Button variant="dangerOutline" onClick={() => setAsks(true)}>
            <Trash2 aria-hidden="true" />
            {actions("delete")}
          </Button>
        </>
      )}
      <ButtonLink variant="primary" href={`/market?template=${id}`}>
        {t("rentWith")}
      </ButtonLink>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={t("details.deleteTitle", { name: template.name })}
        confirmLabel={actions("delete")}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending || remove.isSuccess}
        danger
        problem={remove.error ? explain(remove.error) : undefined}
      >
        <p>{t("details.deleteText")}</p>
      </ConfirmDialog>
    </>
  );
}
