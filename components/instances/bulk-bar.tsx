"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { type LifeAction, lifeActions } from "@/lib/client/instance-action";
import type { Instance } from "@/lib/client/own-instances";
import { lifeIcons } from "./life-actions";

interface BulkBarProps {
  selected: Instance[];
  onAction: (action: LifeAction) => void;
  onClear: () => void;
}

/** What can be done to those that are selected; with each action, how many of them offer it. */
export function BulkBar({ selected, onAction, onClear }: BulkBarProps) {
  const t = useTranslations("instances");
  return (
    <div className="sticky top-2 z-20 flex flex-wrap items-center gap-2 rounded-xl border bg-raised px-4 py-2 shadow-lg">
      <p role="status" className="mr-auto text-sm font-medium">
        {t("selected", { count: selected.length })}
      </p>
      {lifeActions.map((action) => {
        const able = selected.filter(({ actions }) => actions.includes(action)).length;
        if (able === 0) return null;
        return (
          <Button
            key={action}
            size="sm"
            variant={action === "destroy" ? "dangerOutline" : "outline"}
            onClick={() => onAction(action)}
          >
            {lifeIcons[action]}
            {t(`actions.${action}`)} ({able})
          </Button>
        );
      })}
      <Button variant="ghost" size="iconSm" aria-label={t("clearSelection")} onClick={onClear}>
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}
