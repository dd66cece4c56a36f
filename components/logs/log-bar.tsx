"use client";

import { ChevronDown, ChevronUp, Download, Pause, Play } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Switch } from "@/components/ui/switch";

interface LogBarProps {
  wanted: string;
  onWanted: (wanted: string) => void;
  /** At which match one is, from 1; 0 at none. */
  at: number;
  count: number;
  onStep: (by: 1 | -1) => void;
  paused: boolean;
  /** How many lines have come since it was paused. */
  missed: number;
  onPause: () => void;
  shown: number;
  total: number;
  onOlder: () => void;
  onDownload: () => void;
  showTimes: boolean;
  onShowTimes: (show: boolean) => void;
}

export function LogBar(props: LogBarProps) {
  const { wanted, onWanted, at, count, onStep, paused, missed, onPause, shown, total } = props;
  const t = useTranslations("instances.logs");
  const isPartial = !paused && shown < total;
  return (
    <div className="space-y-2 border-b px-3 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <Field label={t("search")} hideLabel className="min-w-40 grow sm:max-w-72">
          <Input
            data-search
            type="search"
            className="h-8"
            placeholder={t("search")}
            value={wanted}
            onValueChange={onWanted}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              onStep(event.shiftKey ? -1 : 1);
            }}
          />
        </Field>
        <span role="status" className="text-xs tabular-nums text-subtle">
          {wanted.trim() && t("matches", { at, count })}
        </span>
        <Button
          variant="ghost"
          size="iconSm"
          aria-label={t("previous")}
          disabled={count === 0}
          onClick={() => onStep(-1)}
        >
          <ChevronUp aria-hidden="true" />
        </Button>
        <Button
          variant="ghost"
          size="iconSm"
          aria-label={t("next")}
          disabled={count === 0}
          onClick={() => onStep(1)}
        >
          <ChevronDown aria-hidden="true" />
        </Button>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <span className="flex items-center gap-2 text-sm">
            <Switch aria-label={t("times")} checked={props.showTimes} onCheckedChange={props.onShowTimes} />
            <span aria-hidden="true">{t("times")}</span>
          </span>
          <Button size="sm" onClick={onPause}>
            {paused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
            {paused ? t("resume") : t("pause")}
          </Button>
          <Button size="sm" onClick={props.onDownload}>
            <Download aria-hidden="true" />
            {t("download")}
          </Button>
        </div>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-subtle">
        <span>{paused ? t("paused", { count: missed }) : t("following")}</span>
        <span>{isPartial ? t("linesOf", { shown, total }) : t("lines", { count: shown })}</span>
        {isPartial && (
          <Button variant="link" size="inline" className="text-xs" onClick={props.onOlder}>
            {t("older")}
          </Button>
        )}
      </p>
    </div>
  );
}
