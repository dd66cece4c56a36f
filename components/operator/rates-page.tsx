"use client";

import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { parseAsInteger, useQueryState } from "nuqs";
import { Badge } from "@/components/ui/badge";
import { Card, Stat } from "@/components/ui/card";
import { CurlButton } from "@/components/ui/curl-button";
import { PageHeader } from "@/components/ui/page-header";
import { Problem, SkeletonRows } from "@/components/ui/states";
import type { AnswerOf } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { toPage } from "./list-search";
import { Pager } from "./listing";
import { RateForm } from "./rate-form";

type Rate = AnswerOf<"listRates">["data"][number];

/** What a dollar is in the other currencies, now and ever since. */
export function RatesPage() {
  const t = useTranslations("operator.rates");
  // All of them: those in force may be older than a page of the history.
  const rates = useQuery(operationQuery("listRates"));
  return (
    <>
      <PageHeader title={t("title")} description={t("lead")} actions={<CurlButton name="listRates" />} />
      {rates.isPending ? (
        <SkeletonRows rows={6} className="h-16" />
      ) : rates.error ? (
        <Problem error={rates.error} retry={() => rates.refetch()} />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
          <div className="space-y-4">
            <Card title={t("now")}>
              <dl className="grid grid-cols-2 gap-4">
                {rates.data.data
                  .filter((rate) => rate.in_force)
                  .map((rate) => (
                    <Stat
                      key={rate.currency}
                      label={t("oneDollar")}
                      value={`${rate.units_per_usd} ${rate.currency}`}
                    />
                  ))}
              </dl>
            </Card>
            <Card title={t("set.title")}>
              <RateForm rates={rates.data.data} />
            </Card>
          </div>
          <Card title={t("history")}>
            <History rates={rates.data.data} />
          </Card>
        </div>
      )}
    </>
  );
}

function History({ rates }: { rates: Rate[] }) {
  const t = useTranslations("operator.rates");
  const format = useFormatter();
  const [page, setPage] = useQueryState("page", parseAsInteger.withDefault(1));
  const { start, limit } = toPage(page);
  return (
    <>
      <table className="w-full text-left text-sm">
        <thead className="text-subtle">
          <tr>
            <th className="py-2 pr-4 font-medium">{t("since")}</th>
            <th className="py-2 pr-4 font-medium">{t("currency")}</th>
            <th className="py-2 text-right font-medium">{t("oneDollar")}</th>
          </tr>
        </thead>
        <tbody>
          {rates.slice(start, start + limit).map((rate) => (
            <tr key={`${rate.currency}${rate.effective_at}`} data-row tabIndex={-1} className="border-t">
              <td className="py-2 pr-4">
                {format.dateTime(new Date(rate.effective_at), { dateStyle: "medium", timeStyle: "short" })}
              </td>
              <td className="py-2 pr-4">
                {rate.currency}{" "}
                {rate.in_force && (
                  <Badge tone="good" className="ml-1">
                    {t("inForce")}
                  </Badge>
                )}
              </td>
              <td className="break-all py-2 text-right tabular-nums">{rate.units_per_usd}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager page={page} total={rates.length} onPage={(next) => setPage(next, { history: "push" })} />
    </>
  );
}
