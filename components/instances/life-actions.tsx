"use client";

import { Pause, Play, RotateCcw, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";
import { type LifeAction, lifeActions } from "@/lib/client/instance-action";
import type { Instance } from "@/lib/client/own-instances";
import { useActionText } from "./action-texts";
import { useLifeAction } from "./use-life-action";

const LifeDialog = dynamic(() => import("./life-dialog").then((module) => module.LifeDialog));

export const lifeIcons: Record<LifeAction, ReactNode> = {
  start: <Play aria-hidden="true" />,
  pause: <Pause aria-hidden="true" />,
  reboot: <RotateCcw aria-hidden="true" />,
  destroy: <Trash2 aria-hidden="true" />,
};

/** The actions that an instance offers now. What ends something is asked first. */
export function useAskedAction(instance: Instance, onDestroyed?: () => void) {
  const [asked, setAsked] = useState<"reboot" | "destroy" | null>(null);
  const { mutate } = useLifeAction();
  const run = (action: LifeAction) => {
    setAsked(null);
    const onSuccess = action === "destroy" ? onDestroyed : undefined;
    mutate({ instance, action }, onSuccess && { onSuccess });
  };
  const choose = (action: LifeAction) =>
    action === "reboot" || action === "destroy" ? setAsked(action) : run(action);
  const dialog = asked && (
    <LifeDialog
      instance={instance}
      action={asked}
      onClose={() => setAsked(null)}
      onConfirm={() => run(asked)}
    />
  );
  return { choose, dialog };
}

export function LifeActions({ instance, onDestroyed }: { instance: Instance; onDestroyed?: () => void }) {
  const t = useTranslations("instances.actions");
  const explain = useActionText();
  const { choose, dialog } = useAskedAction(instance, onDestroyed);
  return (
    <>
      {lifeActions
        .filter((action) => instance.actions.includes(action))
        .map((action) => (
          <Tooltip key={action} content={explain(instance, action)}>
            <Button
              variant={action === "destroy" ? "dangerOutline" : "outline"}
              onClick={() => choose(action)}
            >
              {lifeIcons[action]}
              {t(action)}
            </Button>
          </Tooltip>
        ))}
      {dialog}
    </>
  );
}
