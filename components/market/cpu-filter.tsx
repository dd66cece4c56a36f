"use client";

import { useTranslations } from "next-intl";
import type { Options } from "nuqs";
import { useRef } from "react";
import { Field, Input } from "@/components/ui/field";

interface CpuFilterProps {
  value: string | null;
  onChange: (value: string | null, options?: Options) => void;
}

/** A part of a CPU's name; of one visit to the field the history keeps one step. */
export function CpuFilter({ value, onChange }: CpuFilterProps) {
  const t = useTranslations("market.filters");
  const pushed = useRef(false);
  return (
    <Field label={t("names.cpu_name")} hideLabel hint={t("cpuHint")}>
      <Input
        value={value ?? ""}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onValueChange={(typed) => {
          onChange(typed || null, { history: pushed.current ? "replace" : "push" });
          pushed.current = true;
        }}
        onBlur={() => {
          pushed.current = false;
        }}
      />
    </Field>
  );
}
