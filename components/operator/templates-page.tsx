"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { LayoutTemplate } from "lucide-react";
import { useTranslations } from "next-intl";
import { useQueryStates } from "nuqs";
import { CurlButton } from "@/components/ui/curl-button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import type { AnswerOf } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { listParsers, toListQuery } from "./list-search";
import { Listing } from "./listing";
import { SearchBar } from "./search-bar";
import { TemplateRow } from "./template-row";

export type OperatorTemplate = AnswerOf<"listOperatorTemplates">["data"][number];

export function TemplatesPage() {
  const t = useTranslations("operator.templates");
  const [{ search, page }, setView] = useQueryStates(listParsers);
  const call = { query: toListQuery({ search, page }) };
  const templates = useQuery({
    ...operationQuery("listOperatorTemplates", call),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("lead")}
        actions={<CurlButton name="listOperatorTemplates" call={call} />}
      />
      <SearchBar
        value={search}
        onChange={(value) => setView({ search: value, page: null })}
        placeholder={t("searchIn")}
      />
      <Listing
        label={t("title")}
        query={templates}
        page={page}
        onPage={(next) => setView({ page: next }, { history: "push" })}
        narrowed={search !== ""}
        onWiden={() => setView(null)}
        empty={
          <EmptyState icon={<LayoutTemplate aria-hidden="true" />} title={t("empty.title")}>
            {t("empty.text")}
          </EmptyState>
        }
      >
        {(template) => <TemplateRow key={template.id} template={template} />}
      </Listing>
    </>
  );
}
