"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCurrency } from "@/components/shell/currency";
import { allTemplates } from "@/components/templates/template";
import { Sheet } from "@/components/ui/dialog";
import { Problem, SkeletonRows } from "@/components/ui/states";
import { operationQuery } from "@/lib/client/operation-query";
import { RentForm } from "./rent-form";

/** Rents an offer: what runs on it, for how long, with which keys, and what that costs. */
export function RentSheet({ offerId, onClose }: { offerId: string; onClose: () => void }) {
  const t = useTranslations("rent");
  const [currentId, setCurrentId] = useState(offerId);
  const offer = useQuery(
    operationQuery("getOffer", { params: { offer_id: currentId }, query: { currency: useCurrency() } }),
  );
  const templates = useQuery(operationQuery("listTemplates", allTemplates));
  const keys = useQuery(operationQuery("listSecrets"));
  const found = offer.data?.data;
  const error = offer.error ?? templates.error ?? keys.error;
  const frame = {
    open: true,
    onOpenChange: (open: boolean) => {
      if (!open) onClose();
    },
    title: found ? t("titleOf", { amount: found.gpu_amount, gpu: found.gpu_name }) : t("title"),
  };
  if (!found || !templates.data || !keys.data)
    return (
      <Sheet {...frame}>
        {error ? (
          <Problem
            error={error}
            retry={() => Promise.all([offer.refetch(), templates.refetch(), keys.refetch()])}
          />
        ) : (
          <SkeletonRows rows={8} className="h-16" />
        )}
      </Sheet>
    );
  return (
    <RentForm
      frame={frame}
      offer={found}
      templates={templates.data.data}
      firstKeys={keys.data.data.map(({ id }) => id)}
      onSwitch={({ id }) => setCurrentId(id)}
    />
  );
}
