"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UserPlus, Users } from "lucide-react";
import { useTranslations } from "next-intl";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CurlButton } from "@/components/ui/curl-button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import type { AnswerOf } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { AccountRow } from "./account-row";
import { listParsers, toListQuery } from "./list-search";
import { Listing } from "./listing";
import { NewAccountDialog } from "./new-account-dialog";
import { SearchBar } from "./search-bar";

export type OperatorAccount = AnswerOf<"listOperatorAccounts">["data"][number];

export function AccountsPage() {
  const t = useTranslations("operator.accounts");
  const [{ search, page }, setView] = useQueryStates(listParsers);
  const [making, setMaking] = useState(false);
  const call = { query: toListQuery({ search, page }) };
  const accounts = useQuery({
    ...operationQuery("listOperatorAccounts", call),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("lead")}
        actions={
          <>
            <CurlButton name="listOperatorAccounts" call={call} />
            <Button variant="primary" onClick={() => setMaking(true)}>
              <UserPlus aria-hidden="true" />
              {t("new.button")}
            </Button>
          </>
        }
      />
      <SearchBar
        value={search}
        onChange={(value) => setView({ search: value, page: null })}
        placeholder={t("searchIn")}
      />
      <Listing
        label={t("title")}
        query={accounts}
        page={page}
        onPage={(next) => setView({ page: next }, { history: "push" })}
        narrowed={search !== ""}
        onWiden={() => setView({ search: null, page: null })}
        empty={<EmptyState icon={<Users aria-hidden="true" />} title={t("empty")} />}
      >
        {(account) => <AccountRow key={account.id} account={account} />}
      </Listing>
      {making && <NewAccountDialog onClose={() => setMaking(false)} />}
    </>
  );
}
