"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { shortName } from "@/components/market/offer-words";
import { useCurrency } from "@/components/shell/currency";
import { Input } from "@/components/ui/field";
import { useMoney } from "@/components/ui/money";
import { EmptyState, Problem, SkeletonRows } from "@/components/ui/states";
import type { AnswerOf } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { gpusCall } from "./gpu-reads";

type Gpu = AnswerOf<"listGpus">["data"][number];

/** Every GPU that is known, with what the market has of it. */
export function GpuList() {
  const t = useTranslations("market.gpus");
  const [sought, setSought] = useState("");
  const gpus = useQuery(operationQuery("listGpus", gpusCall(useCurrency())));
  if (gpus.isPending) return <SkeletonRows rows={12} className="h-20" />;
  if (gpus.error) return <Problem error={gpus.error} retry={() => gpus.refetch()} />;
  const wanted = sought.trim().toLowerCase();
  const shown = gpus.data.data.filter(({ name, translit_name, architecture }) =>
    `${name} ${translit_name} ${architecture}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <Input
        data-search=""
        aria-label={t("search")}
        placeholder={t("search")}
        value={sought}
        onValueChange={setSought}
        className="mb-4 max-w-sm"
      />
      {shown.length === 0 && <EmptyState title={t("none")} />}
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map((gpu) => (
          <GpuCard key={gpu.translit_name} gpu={gpu} />
        ))}
      </ul>
    </>
  );
}

function GpuCard({ gpu }: { gpu: Gpu }) {
  const t = useTranslations("market.gpus");
  const format = useFormatter();
  const money = useMoney();
  return (
    <li>
      <Link
        href={`/gpus/${encodeURIComponent(gpu.translit_name)}`}
        prefetch={false}
        data-row=""
        className="flex h-full items-start justify-between gap-3 rounded-xl border bg-surface p-4 hover:bg-muted"
      >
        <span className="min-w-0">
          <span className="block truncate font-semibold">{shortName(gpu.name)}</span>
          <span className="block text-sm text-subtle">
            {t("facts", { vram: gpu.vram, architecture: gpu.architecture, year: String(gpu.launch_year) })}
          </span>
          <span className="block text-sm text-subtle">
            {t("tflops", { value: format.number(gpu.fp32, { maximumFractionDigits: 1 }) })}
          </span>
        </span>
        <span className="shrink-0 text-right text-sm">
          <span className="block font-semibold tabular-nums">
            {gpu.best_price === null ? t("noPrice") : money(gpu.best_price, "price", gpu.currency)}
          </span>
          <span className="block text-subtle">{t("offers", { count: gpu.offers_count })}</span>
          <span className="block text-subtle">{t("rentable", { count: gpu.rentable_count })}</span>
        </span>
      </Link>
    </li>
  );
}
