"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useTranslations } from "next-intl";
import { useQueryState } from "nuqs";
import { CurlButton } from "@/components/ui/curl-button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import type { AnswerOf } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { ImportForm } from "./import-form";
import { ImportRow } from "./import-row";
import { listParsers, toPage } from "./list-search";
import { Listing } from "./listing";

export type CatalogueImport = AnswerOf<"listImports">["data"][number];

/** How often a running import is asked how far it is. */
const RENEWED_MS = 1_000;

export function ImportsPage() {
  const t = useTranslations("operator.imports");
  const [page, setPage] = useQueryState("page", listParsers.page);
  const call = { query: toPage(page) };
  const imports = useQuery({
    ...operationQuery("listImports", call),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === "running") ? RENEWED_MS : false,
  });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("lead")}
        actions={<CurlButton name="listImports" call={call} />}
      />
      <ImportForm onStarted={() => setPage(null)} />
      <h2 className="mt-8 mb-3 text-lg font-semibold">{t("earlier")}</h2>
      <Listing
        label={t("earlier")}
        query={imports}
        page={page}
        onPage={(next) => setPage(next, { history: "push" })}
        narrowed={false}
        onWiden={() => setPage(null)}
        empty={
          <EmptyState icon={<FileUp aria-hidden="true" />} title={t("empty.title")}>
            {t("empty.text")}
          </EmptyState>
        }
      >
        {(each) => <ImportRow key={each.id} given={each} />}
      </Listing>
    </>
  );
}
