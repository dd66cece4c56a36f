"use client";

import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { cn } from "@/components/ui/cn";
import { useMoney } from "@/components/ui/money";
import type { AnswerOf } from "@/lib/client/call-operation";

type Entry = AnswerOf<"listBillingEntries">["data"][number];

interface EntryTableProps {
  entries: readonly Entry[];
  /** Of instances, by id. */
  names: ReadonlyMap<string, string | null>;
}

export function EntryTable({ entries, names }: EntryTableProps) {
  const t = useTranslations("billing.ledger");
  const format = useFormatter();
  const money = useMoney();
  return (
    <table className="mt-4 w-full text-left text-sm">
      <thead className="border-b text-xs text-subtle">
        <tr>
          <th scope="col" className="py-2 font-medium">
            {t("at")}
          </th>
          <th scope="col" className="py-2 font-medium">
            {t("kind")}
          </th>
          <th scope="col" className="hidden py-2 font-medium md:table-cell">
            {t("account")}
          </th>
          <th scope="col" className="hidden py-2 font-medium md:table-cell">
            {t("for")}
          </th>
          <th scope="col" className="py-2 text-right font-medium">
            {t("amount")}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id} data-row tabIndex={-1} className="border-b align-top last:border-0">
            <td className="py-2 pr-3 text-subtle tabular-nums">
              {format.dateTime(new Date(entry.at), { dateStyle: "medium", timeStyle: "short" })}
            </td>
            <td className="py-2 pr-3">
              {t(`kinds.${entry.kind}`)}
              <span className="block text-xs text-subtle md:hidden">
                {t(`accounts.${entry.account}`)} <Purpose entry={entry} names={names} />
              </span>
            </td>
            <td className="hidden py-2 pr-3 md:table-cell">{t(`accounts.${entry.account}`)}</td>
            <td className="hidden py-2 pr-3 md:table-cell">
              <Purpose entry={entry} names={names} />
            </td>
            <td
              className={cn(
                "whitespace-nowrap py-2 text-right tabular-nums",
                entry.amount > 0 && "text-success",
              )}
            >
              {entry.amount > 0 && "+"}
              {money(entry.amount, "price", entry.currency)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What a movement was for; a word of the operator's own is only text. */
function Purpose({ entry, names }: { entry: Entry; names: EntryTableProps["names"] }) {
  if (entry.instance_id && entry.account !== "earnings")
    return (
      <Link
        href={`/instances/${entry.instance_id}`}
        className="break-all text-primary underline underline-offset-4"
      >
        {names.get(entry.instance_id) ?? entry.instance_id}
      </Link>
    );
  if (entry.host_id)
    return (
      <Link href={`/hosts/${entry.host_id}`} className="break-all text-primary underline underline-offset-4">
        {entry.host_id}
      </Link>
    );
  return <span className="break-words">{entry.reference}</span>;
}
