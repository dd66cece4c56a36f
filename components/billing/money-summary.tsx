"use client";

import Link from "next/link";
import { useFormatter, useNow, useTranslations } from "next-intl";
import { useVisitor } from "@/components/shell/visitor";
import { Badge, type Tone } from "@/components/ui/badge";
import { Card, Stat } from "@/components/ui/card";
import { useMoney } from "@/components/ui/money";
import type { AnswerOf } from "@/lib/client/call-operation";

type Billing = AnswerOf<"getBilling">["data"];

const tones: Record<Billing["stage"], Tone> = { fine: "good", low: "warning", empty: "bad", over: "bad" };

/** The balance, how long it lasts, and what happens when it does not. */
export function MoneySummary({ billing }: { billing: Billing }) {
  const t = useTranslations("billing.summary");
  const common = useTranslations("common.units");
  const format = useFormatter();
  const now = useNow({ updateInterval: 60_000 });
  const money = useMoney();
  const visitor = useVisitor();
  const { stage, currency, burn_rate, money_ends_at, grace } = billing;
  const sum = (amount: number) => money(amount, "sum", currency);
  const ends = money_ends_at === null ? null : new Date(money_ends_at);
  const idle = stage === "fine" && burn_rate === 0;
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      <Card
        className="lg:col-span-2"
        title={t("title")}
        actions={<Badge tone={tones[stage]}>{t(`stages.${stage}`)}</Badge>}
      >
        <p className="text-3xl font-semibold tabular-nums" data-testid="balance">
          {sum(billing.balance)}
        </p>
        <p className="mt-2 text-sm" aria-live="polite">
          {t(idle ? "next.idle" : `next.${stage}`, { grace: grace === null ? "" : sum(grace) })}
        </p>
        <dl className="mt-4 grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Stat
            label={t("accrued")}
            value={money(billing.accrued, "price", currency)}
            hint={t("accruedHint")}
          />
          <Stat label={t("burnRate")} value={`${money(burn_rate, "price", currency)}${common("perHour")}`} />
          <Stat
            label={t("ends")}
            value={ends ? format.relativeTime(ends, now) : t("endsNever")}
            hint={ends && format.dateTime(ends, { dateStyle: "medium", timeStyle: "short" })}
          />
          <Stat label={t("escrow")} value={sum(billing.escrow)} hint={t("escrowHint")} />
        </dl>
      </Card>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1">
        <Card title={t("add")}>
          <p className="text-sm">{t("addText", { email: visitor?.email ?? "" })}</p>
          {visitor?.roles.includes("operator") && (
            <Link
              href="/operator"
              className="mt-2 inline-block text-sm text-primary underline underline-offset-4"
            >
              {t("addOperator")}
            </Link>
          )}
        </Card>
        <Card title={t("earnings")}>
          <dl className="grid grid-cols-3 gap-3">
            <Stat label={t("earned")} value={sum(billing.earned)} />
            <Stat label={t("owed")} value={sum(billing.owed)} />
            <Stat label={t("paidOut")} value={sum(billing.paid_out)} />
          </dl>
        </Card>
      </div>
    </div>
  );
}
