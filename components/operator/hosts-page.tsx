"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { useTranslations } from "next-intl";
import { useQueryStates } from "nuqs";
import { CurlButton } from "@/components/ui/curl-button";
import { PageHeader } from "@/components/ui/page-header";
import { Select } from "@/components/ui/select";
import { EmptyState } from "@/components/ui/states";
import type { AnswerOf } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { hostStatuses } from "@/lib/contract/words";
import { HostRow } from "./host-row";
import { hostListParsers, toListQuery } from "./list-search";
import { Listing } from "./listing";
import { SearchBar } from "./search-bar";

export type OperatorHost = AnswerOf<"listOperatorHosts">["data"][number];

export function HostsPage() {
  const t = useTranslations("operator.hosts");
  const [view, setView] = useQueryStates(hostListParsers);
  const call = { query: toListQuery(view) };
  const hosts = useQuery({ ...operationQuery("listOperatorHosts", call), placeholderData: keepPreviousData });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("lead")}
        actions={<CurlButton name="listOperatorHosts" call={call} />}
      />
      <SearchBar
        value={view.search}
        onChange={(search) => setView({ search, page: null })}
        placeholder={t("searchIn")}
      >
        <Select
          aria-label={t("status")}
          className="w-48"
          value={view.status ?? "any"}
          onChange={(status) => setView({ status: status === "any" ? null : status, page: null })}
          choices={[
            { value: "any", label: t("anyStatus") },
            ...hostStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
          ]}
        />
      </SearchBar>
      <Listing
        label={t("title")}
        query={hosts}
        page={view.page}
        onPage={(page) => setView({ page }, { history: "push" })}
        narrowed={view.search !== "" || view.status !== null}
        onWiden={() => setView(null)}
        empty={
          <EmptyState icon={<Server aria-hidden="true" />} title={t("empty.title")}>
            {t("empty.text")}
          </EmptyState>
        }
      >
        {(host) => <HostRow key={host.id} host={host} />}
      </Listing>
    </>
  );
}
