"use client";

import { Server } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/states";

const steps = ["token", "paste", "price"] as const;

/** What hosts are for, and the way to the first one. */
export function HostsEmpty({ onJoin }: { onJoin: () => void }) {
  const t = useTranslations("hosts");
  return (
    <EmptyState
      icon={<Server aria-hidden="true" />}
      title={t("empty.title")}
      action={
        <Button variant="primary" onClick={onJoin}>
          {t("join")}
        </Button>
      }
    >
      <p>{t("empty.text")}</p>
      <ol className="mx-auto mt-3 w-fit list-inside list-decimal space-y-1 text-left">
        {steps.map((step) => (
          <li key={step}>{t(`empty.steps.${step}`)}</li>
        ))}
      </ol>
    </EmptyState>
  );
}
