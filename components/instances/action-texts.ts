"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useMoney } from "@/components/ui/money";
import type { LifeAction } from "@/lib/client/instance-action";
import type { Instance } from "@/lib/client/own-instances";

/** What an action will do, with what it changes in money. */
export function useActionText(): (instance: Instance, action: LifeAction) => string {
  const t = useTranslations("instances.does");
  const money = useMoney();
  const format = useFormatter();
  return ({ uptime_price, pause_price, prepaid_until }, action) => {
    const prices = { uptime: money(uptime_price), pause: money(pause_price) };
    if (prepaid_until !== null && (action === "start" || action === "pause")) {
      const until = format.dateTime(new Date(prepaid_until), { dateStyle: "medium", timeStyle: "short" });
      return t(`${action}Prepaid`, { until });
    }
    return t(action, prices);
  };
}
