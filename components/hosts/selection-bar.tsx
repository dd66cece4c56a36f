"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { Host } from "./host-queries";
import { useListing } from "./use-listing";

const BulkReprice = dynamic(() => import("./bulk-reprice").then((file) => file.BulkReprice));

/** What can be done with the chosen hosts together. */
export function SelectionBar({ hosts, onClear }: { hosts: readonly Host[]; onClear: () => void }) {
  const t = useTranslations("hosts");
  const listing = useListing();
  const [repricing, setRepricing] = useState<readonly Host[] | null>(null);
  return (
    <>
      <div role="status" className="sr-only">
        {hosts.length > 0 && t("selected", { count: hosts.length })}
      </div>
      {hosts.length > 0 && (
        <section
          aria-label={t("selected", { count: hosts.length })}
          className="sticky top-16 z-20 flex flex-wrap items-center gap-2 rounded-xl border bg-raised px-4 py-2.5 shadow-sm"
        >
          <span className="mr-auto text-sm font-medium" aria-hidden="true">
            {t("selected", { count: hosts.length })}
          </span>
          <Button size="sm" variant="primary" onClick={() => setRepricing(hosts)}>
            {t("actions.reprice")}
          </Button>
          <Button
            size="sm"
            busy={listing.isPending && listing.variables.to === "withdraw"}
            disabled={listing.isPending}
            onClick={() => listing.mutate({ hosts, to: "withdraw" })}
          >
            {t("actions.withdraw")}
          </Button>
          <Button
            size="sm"
            busy={listing.isPending && listing.variables.to === "relist"}
            disabled={listing.isPending}
            onClick={() => listing.mutate({ hosts, to: "relist" })}
          >
            {t("actions.relist")}
          </Button>
          <Button size="sm" variant="ghost" onClick={onClear}>
            {t("clear")}
          </Button>
        </section>
      )}
      {repricing && <BulkReprice hosts={repricing} onClose={() => setRepricing(null)} />}
    </>
  );
}
