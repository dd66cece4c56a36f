"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCurrency } from "@/components/shell/currency";
import { Button } from "@/components/ui/button";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { ApiError, toRequest } from "@/lib/client/call-operation";
import { type EntryFilters, entriesCall } from "@/lib/client/entry-filters";
import { saveFile } from "@/lib/client/save-file";

/** Saves every entry that the filters leave, not only those of the page. */
export function CsvButton({ filters }: { filters: EntryFilters }) {
  const t = useTranslations("billing.ledger");
  const explain = useProblemText();
  const currency = useCurrency();
  const save = useMutation({
    mutationFn: async () => {
      const { url } = toRequest("listBillingEntries", entriesCall(filters, currency));
      const answer = await fetch(url, { headers: { accept: "text/csv" } }).catch(() => {
        throw new ApiError(0, null);
      });
      if (!answer.ok) throw new ApiError(answer.status, await answer.json().catch(() => null));
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`berth-ledger-${day}.csv`, await answer.blob());
    },
    onError: (error) => toast.error(explain(error)),
  });
  return (
    <Button size="sm" busy={save.isPending} onClick={() => save.mutate()}>
      <Download aria-hidden="true" />
      {t("csv")}
    </Button>
  );
}
