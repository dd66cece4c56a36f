"use client";

import { Bookmark } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Popover } from "@/components/ui/popover";
import { Skeleton } from "@/components/ui/states";
import type { useMarket } from "./use-market";

const SavedSearchList = dynamic(() => import("./saved-search-list").then((file) => file.SavedSearchList), {
  ssr: false,
  loading: () => <Skeleton className="h-40" />,
});

/** Searches that one keeps: opened, saved and deleted here. */
export function SavedSearches({ market }: { market: ReturnType<typeof useMarket> }) {
  const t = useTranslations("market.saved");
  return (
    <Popover
      label={t("title")}
      align="end"
      trigger={
        <Button size="sm">
          <Bookmark aria-hidden="true" />
          {t("open")}
        </Button>
      }
    >
      <SavedSearchList market={market} />
    </Popover>
  );
}
