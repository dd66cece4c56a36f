"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Scale } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card, Stat } from "@/components/ui/card";
import { CurlButton } from "@/components/ui/curl-button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState, Problem, SkeletonRows } from "@/components/ui/states";
import { type AnswerOf, ApiError, callOperation } from "@/lib/client/call-operation";

type Report = AnswerOf<"verifyLedger">["data"];

/** Proves that the ledger, the balances and the meters say the same. */
export function LedgerPage() {
  const t = useTranslations("operator.ledger");
  const check = useMutation({ mutationFn: () => callOperation("verifyLedger") });
  const run = (
    <Button variant="primary" busy={check.isPending} onClick={() => check.mutate()}>
      {t("run")}
    </Button>
  );
  const gaveUp = check.error instanceof ApiError && check.error.status === 503;
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("lead")}
        actions={
          <>
            <CurlButton name="verifyLedger" />
            {run}
          </>
        }
      />
      <div aria-live="polite">
        {check.isPending ? (
          <SkeletonRows rows={4} className="h-16" />
        ) : gaveUp ? (
          <EmptyState icon={<CircleAlert aria-hidden="true" />} title={t("gaveUp")}>
            {t("gaveUpText")} <code className="font-mono">npm run berth -- ledger verify</code>
          </EmptyState>
        ) : check.error ? (
          <Problem error={check.error} retry={() => check.mutate()} />
        ) : check.data ? (
          <Findings report={check.data.data} />
        ) : (
          <EmptyState icon={<Scale aria-hidden="true" />} title={t("notYet.title")}>
            {t("notYet.text")}
          </EmptyState>
        )}
      </div>
    </>
  );
}

function Findings({ report }: { report: Report }) {
  const t = useTranslations("operator.ledger");
  const format = useFormatter();
  const { checked, findings, sums } = report;
  const usd = (amount: number) =>
    format.number(amount, { style: "currency", currency: "USD", maximumFractionDigits: 6 });
  return (
    <div className="space-y-4">
      <p className="flex items-center gap-2 text-lg font-semibold">
        {report.ok ? (
          <CircleCheck className="size-6 shrink-0 text-success" aria-hidden="true" />
        ) : (
          <CircleAlert className="size-6 shrink-0 text-danger" aria-hidden="true" />
        )}
        {report.ok ? t("holds") : t("broken", { count: findings.length })}
      </p>
      <p className="text-sm text-subtle">{t("checked", checked)}</p>
      {findings.length > 0 && (
        <Card title={t("findings")}>
          <ul className="-my-2 divide-y">
            {findings.map(({ rule, subject, detail }) => (
              <li key={`${rule} ${subject} ${detail}`} data-row tabIndex={-1} className="py-2 text-sm">
                <p className="font-medium">
                  {rule} · <code className="break-all font-mono text-xs">{subject}</code>
                </p>
                <p className="break-words text-subtle">{detail}</p>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title={t("sums")}>
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-6">
          {(["renter", "escrow", "host", "fee", "credit", "payout"] as const).map((name) => (
            <Stat key={name} label={t(`accounts.${name}`)} value={usd(sums[name])} />
          ))}
        </dl>
        <p className="mt-4 text-sm text-subtle">{t("zero")}</p>
      </Card>
    </div>
  );
}
