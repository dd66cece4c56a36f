"use client";

import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useCurrency } from "@/components/shell/currency";
import { useMoney } from "@/components/ui/money";
import type { AnswerOf } from "@/lib/client/call-operation";

type Usage = AnswerOf<"listBillingUsage">["data"][number];

/** The same in numbers: by instance, the dearest first, and by day. */
export function SpendTables({ rows, byDay }: { rows: readonly Usage[]; byDay: ReadonlyMap<string, number> }) {
  const t = useTranslations("billing.spend");
  const format = useFormatter();
  const money = useMoney();
  const currency = useCurrency();
  const instances = new Map<string, { name: string | null; amount: number; seconds: number }>();
  for (const { instance_id, name, amount, seconds_running } of rows) {
    const before = instances.get(instance_id) ?? { name, amount: 0, seconds: 0 };
    instances.set(instance_id, {
      name,
      amount: before.amount + amount,
      seconds: before.seconds + seconds_running,
    });
  }
  const dearest = [...instances].toSorted(([, a], [, b]) => b.amount - a.amount);
  return (
    <div className="mt-4 grid gap-6 md:grid-cols-2">
      <SpendTable
        caption={t("byInstance")}
        head={[t("instance"), t("hours"), t("cost")]}
        rows={dearest.map(([id, { name, amount, seconds }]) => [
          id,
          <Link
            key={id}
            href={`/instances/${id}`}
            className="break-all text-primary underline underline-offset-4"
          >
            {name ?? id}
          </Link>,
          format.number(seconds / 3600, { maximumFractionDigits: 1 }),
          money(amount, "sum", currency),
        ])}
      />
      <SpendTable
        caption={t("byDay")}
        head={[t("day"), t("instances"), t("cost")]}
        rows={[...byDay].map(([day, amount]) => [
          day,
          format.dateTime(new Date(day), { dateStyle: "medium", timeZone: "UTC" }),
          rows.filter((row) => row.day === day).length,
          money(amount, "sum", currency),
        ])}
      />
    </div>
  );
}

interface SpendTableProps {
  caption: string;
  head: readonly [string, string, string];
  /** A key, then the cells. */
  rows: readonly (readonly [string, ReactNode, ReactNode, ReactNode])[];
}

function SpendTable({ caption, head, rows }: SpendTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section aria-label={caption} tabIndex={0} className="max-h-72 overflow-y-auto">
      <table className="w-full text-left text-sm">
        <caption className="sticky top-0 bg-surface pb-1 text-left font-medium">{caption}</caption>
        <thead className="border-b text-xs text-subtle">
          <tr>
            {head.map((label, i) => (
              <th key={label} scope="col" className={`py-1.5 font-medium ${i > 0 ? "text-right" : ""}`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, name, middle, cost]) => (
            <tr key={key} className="border-b last:border-0">
              <td className="py-1.5">{name}</td>
              <td className="py-1.5 text-right tabular-nums">{middle}</td>
              <td className="whitespace-nowrap py-1.5 pl-3 text-right tabular-nums">{cost}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
