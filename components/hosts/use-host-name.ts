"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { Host } from "./host-queries";

/** What a host is called: its GPUs. */
export function useHostName(): (host: Host) => string {
  const t = useTranslations("hosts");
  return useCallback(({ offer }) => t("name", { amount: offer.gpu_amount, gpu: offer.gpu_name }), [t]);
}
