"use client";

import { useTranslations } from "next-intl";
import type { Options } from "nuqs";
import { useId, useRef, useState } from "react";
import { cn } from "@/components/ui/cn";
import type { AnswerOf } from "@/lib/client/call-operation";
import type { Range } from "@/lib/client/market-search";
import { Histogram } from "./histogram";

type RangeFacet = AnswerOf<"countMarketFacets">["data"]["ranges"]["price"];

interface RangeFilterProps {
  name: string;
  unit: string;
  facet: RangeFacet | undefined;
  value: Range | null;
  onChange: (value: Range | null, options?: Options) => void;
  /** The API knows a lowest value of it alone. */
  onlyFrom?: boolean;
}

/** A histogram whose ends can be moved, and the same as typed numbers; both ends belong to what is found. */
export function RangeFilter({ name, unit, facet, value, onChange, onlyFrom = false }: RangeFilterProps) {
  const t = useTranslations("market.filters");
  const from = value?.from ?? null;
  const to = value?.to ?? null;
  const set = (next: Range, options?: Options) =>
    onChange(next.from === null && next.to === null ? null : next, options);
  return (
    <div className="space-y-2">
      {facet && facet.buckets.length > 1 ? (
        <Histogram
          name={name}
          buckets={facet.buckets}
          from={from}
          to={to}
          onChange={set}
          onlyFrom={onlyFrom}
        />
      ) : (
        facet && facet.min !== null && <p className="text-xs text-subtle">{t("nothingToChoose")}</p>
      )}
      <div className="flex items-end gap-2">
        <Bound
          label={t("from")}
          name={name}
          value={from}
          hint={facet?.min ?? null}
          onChange={(next, options) => set({ from: next, to }, options)}
        />
        {!onlyFrom && (
          <Bound
            label={t("to")}
            name={name}
            value={to}
            hint={facet?.max ?? null}
            onChange={(next, options) => set({ from, to: next }, options)}
          />
        )}
        {unit && <span className="shrink-0 pb-1.5 text-xs text-subtle">{unit}</span>}
      </div>
      {value && facet && facet.unknown > 0 && (
        <p className="text-xs text-subtle">{t("unknown", { count: facet.unknown })}</p>
      )}
    </div>
  );
}

interface BoundProps {
  label: string;
  name: string;
  value: number | null;
  hint: number | null;
  onChange: (value: number | null, options?: Options) => void;
}

/** What is typed counts at once; of one visit to the field the history keeps one step. */
function Bound({ label, name, value, hint, onChange }: BoundProps) {
  const t = useTranslations("market.filters");
  const [draft, setDraft] = useState<string | null>(null);
  const pushed = useRef(false);
  const id = useId();
  const wrong = draft !== null && readNumber(draft) === undefined;
  return (
    <label className="min-w-0 grow">
      <span className="block text-xs text-subtle">
        {label}
        <span className="sr-only">, {name}</span>
      </span>
      <input
        inputMode="decimal"
        autoComplete="off"
        aria-invalid={wrong}
        {...(wrong ? { "aria-describedby": id } : {})}
        value={draft ?? value ?? ""}
        placeholder={hint === null ? "" : String(Number(hint.toPrecision(4)))}
        onChange={(event) => {
          setDraft(event.target.value);
          const next = readNumber(event.target.value);
          if (next === undefined || next === value) return;
          onChange(next, { history: pushed.current ? "replace" : "push" });
          pushed.current = true;
        }}
        onBlur={() => {
          setDraft(null);
          pushed.current = false;
        }}
        className={cn(
          "h-8 w-full rounded-md border border-input bg-surface px-2 text-sm tabular-nums placeholder:text-subtle",
          wrong && "border-danger",
        )}
      />
      {wrong && (
        <span id={id} role="alert" className="text-xs text-danger">
          {t("notANumber")}
        </span>
      )}
    </label>
  );
}

/** null: nothing typed; undefined: no number of at least 0. */
function readNumber(text: string): number | null | undefined {
  const plain = text.trim().replace(",", ".");
  if (plain === "") return null;
  return /^\d{1,12}(\.\d{0,6})?$|^\.\d{1,6}$/.test(plain) ? Number(plain) : undefined;
}
