"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Box } from "lucide-react";
import { useTranslations } from "next-intl";
import { useQueryStates } from "nuqs";
import { CurlButton } from "@/components/ui/curl-button";
import { PageHeader } from "@/components/ui/page-header";
import { Select } from "@/components/ui/select";
import { EmptyState } from "@/components/ui/states";
import type { AnswerOf } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { instanceStatuses } from "@/lib/contract/words";
import { InstanceRow } from "./instance-row";
import { instanceListParsers, toListQuery } from "./list-search";
import { Listing } from "./listing";
import { SearchBar } from "./search-bar";

export type OperatorInstance = AnswerOf<"listOperatorInstances">["data"][number];

/** How often the list is asked for anew: no stream tells of other people's instances. */
const RENEWED_MS = 10_000;

export function InstancesPage() {
  const t = useTranslations("operator.instances");
  const [view, setView] = useQueryStates(instanceListParsers);
  const call = { query: toListQuery(view) };
  const instances = useQuery({
    ...operationQuery("listOperatorInstances", call),
    placeholderData: keepPreviousData,
    refetchInterval: RENEWED_MS,
  });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("lead")}
        actions={<CurlButton name="listOperatorInstances" call={call} />}
      />
      <SearchBar
        value={view.search}
        onChange={(search) => setView({ search, page: null })}
        placeholder={t("searchIn")}
      >
        <Select
          aria-label={t("status")}
          className="w-56"
          value={view.status ?? "live"}
          onChange={(status) => setView({ status: status === "live" ? null : status, page: null })}
          choices={[
            { value: "live", label: t("notDestroyed") },
            ...instanceStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
          ]}
        />
      </SearchBar>
      <Listing
        label={t("title")}
        query={instances}
        page={view.page}
        onPage={(page) => setView({ page }, { history: "push" })}
        narrowed={view.search !== "" || view.status !== null}
        onWiden={() => setView(null)}
        empty={
          <EmptyState icon={<Box aria-hidden="true" />} title={t("empty.title")}>
            {t("empty.text")}
          </EmptyState>
        }
      >
        {(instance) => <InstanceRow key={instance.id} instance={instance} />}
      </Listing>
    </>
  );
}
