"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Field, Input } from "@/components/ui/field";

interface SearchBarProps {
  value: string;
  onChange: (value: string) => void;
  /** What it looks in. */
  placeholder: string;
  /** More filters. */
  children?: ReactNode;
}

export function SearchBar({ value, onChange, placeholder, children }: SearchBarProps) {
  const t = useTranslations("common.actions");
  return (
    <search className="mb-4 flex flex-wrap gap-2">
      <Field label={t("search")} hideLabel className="min-w-56 grow sm:max-w-md">
        <Input
          data-search
          type="search"
          value={value}
          onValueChange={onChange}
          placeholder={placeholder}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      {children}
    </search>
  );
}
