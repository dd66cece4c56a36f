"use client";

import { LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge, type Tone } from "@/components/ui/badge";
import { type Instance, isPassing } from "@/lib/client/own-instances";
import type { InstanceStatus } from "@/lib/contract/words";

const tones: Record<InstanceStatus, Tone> = {
  pending: "info",
  running: "good",
  paused: "neutral",
  rebooting: "info",
  error: "bad",
  destroyed: "neutral",
};

export function StatusBadge({ instance }: { instance: Instance }) {
  const t = useTranslations("instances.status");
  return (
    <Badge tone={tones[instance.status]}>
      {isPassing(instance) && <LoaderCircle className="size-3 animate-spin" aria-hidden="true" />}
      {t(instance.status)}
    </Badge>
  );
}

/** The step it is at, and what the machine says of it. */
export function PhaseText({ instance, className }: { instance: Instance; className?: string }) {
  const t = useTranslations("instances.phase");
  const { phase, status, message } = instance;
  const step = String(phase) === String(status) ? null : t(phase);
  const text = [step, message].filter(Boolean).join(": ");
  return text === "" ? null : <p className={className}>{text}</p>;
}
