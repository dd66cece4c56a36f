"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useCurrency } from "@/components/shell/currency";
import { CurlButton } from "@/components/ui/curl-button";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Problem, Skeleton } from "@/components/ui/states";
import { operationQuery } from "@/lib/client/operation-query";
import { Ledger } from "./ledger";
import { MoneySummary } from "./money-summary";
import { Spend } from "./spend";

/** Between two settlements, without an event. */
const RENEW_MS = 60_000;

/** What one has, what it goes to, and every movement of it. */
export function BillingPage() {
  const t = useTranslations("billing");
  const currency = useCurrency();
  const billing = useQuery({
    ...operationQuery("getBilling", { query: { currency } }),
    refetchInterval: RENEW_MS,
  });
  return (
    <Page>
      <PageHeader
        title={t("title")}
        description={t("lead")}
        actions={<CurlButton name="getBilling" call={{ query: { currency } }} />}
      />
      <div className="space-y-6">
        {billing.isPending ? (
          <Skeleton className="h-56" />
        ) : billing.error ? (
          <Problem error={billing.error} retry={() => billing.refetch()} />
        ) : (
          <MoneySummary billing={billing.data.data} />
        )}
        <Spend />
        <Ledger />
      </div>
    </Page>
  );
}
