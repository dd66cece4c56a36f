"use client";

import { useQuery } from "@tanstack/react-query";
import { LayoutTemplate, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { useVisitor } from "@/components/shell/visitor";
import { ButtonLink } from "@/components/ui/button";
import { CurlButton } from "@/components/ui/curl-button";
import { Field, Input } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState, Problem } from "@/components/ui/states";
import { operationQuery } from "@/lib/client/operation-query";
import { allTemplates, matchesSearch, type Template } from "./template";
import { TemplateCard } from "./template-card";
import { TemplatesSkeleton } from "./templates-skeleton";

/** One's own templates and the presets. */
export function TemplateGallery() {
  const t = useTranslations("templates");
  const visitor = useVisitor();
  const [search, setSearch] = useQueryState("search", parseAsString.withDefault(""));
  const templates = useQuery(operationQuery("listTemplates", allTemplates));
  if (templates.isPending) return <TemplatesSkeleton />;
  const found = (templates.data?.data ?? []).filter((each) => matchesSearch(each, search));
  const own = found.filter((each) => each.owner_id === visitor?.id);
  const presets = found.filter((each) => each.owner_id !== visitor?.id);
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        actions={
          <>
            <CurlButton name="listTemplates" />
            <ButtonLink href="/templates/new" variant="primary">
              <Plus aria-hidden="true" />
              {t("new")}
            </ButtonLink>
          </>
        }
      />
      {templates.error ? (
        <Problem error={templates.error} retry={() => templates.refetch()} />
      ) : (
        <>
          <Field label={t("search")} hideLabel>
            <Input
              type="search"
              data-search
              value={search}
              onValueChange={(value) => setSearch(value || null)}
              placeholder={t("search")}
            />
          </Field>
          <Section id="own" title={t("own")} templates={own}>
            {search ? (
              <p className="text-sm text-subtle">{t("nothingFound")}</p>
            ) : (
              <EmptyState
                icon={<LayoutTemplate aria-hidden="true" />}
                title={t("empty.title")}
                action={<ButtonLink href="/templates/new">{t("new")}</ButtonLink>}
              >
                {t("empty.text")}
              </EmptyState>
            )}
          </Section>
          <Section id="presets" title={t("presets")} templates={presets}>
            <p className="text-sm text-subtle">{search ? t("nothingFound") : t("noPresets")}</p>
          </Section>
        </>
      )}
    </>
  );
}

function Section({
  id,
  title,
  templates,
  children,
}: {
  id: string;
  title: string;
  templates: readonly Template[];
  /** Where there are none. */
  children: React.ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="mt-8">
      <h2 id={id} className="mb-3 text-lg font-semibold">
        {title}
      </h2>
      {templates.length === 0 ? (
        children
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {templates.map((template) => (
            <TemplateCard key={template.id} template={template} />
          ))}
        </ul>
      )}
    </section>
  );
}
