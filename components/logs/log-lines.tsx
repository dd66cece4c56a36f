"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import type { Match } from "@/lib/client/log-text";
import { LogLine } from "./log-line";
import type { LogLine as Line } from "./use-log-lines";

const LINE_PX = 20;
const NEAR_PX = 40;
const none: readonly number[] = [];

interface LogLinesProps {
  label: string;
  lines: readonly Line[];
  matches: readonly Match[];
  /** Of each match. */
  length: number;
  current: Match | null;
  /** Whether new lines are shown as they come. */
  follow: boolean;
  showTimes: boolean;
}

/** Only the lines in sight are in the page. It stays at the newest until one scrolls away from there. */
export function LogLines({ label, lines, matches, length, current, follow, showTimes }: LogLinesProps) {
  const t = useTranslations("instances.logs");
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    getItemKey: (at) => lines[at]?.id ?? at,
    overscan: 20,
  });
  const byLine = useMemo(() => {
    const found = new Map<number, number[]>();
    for (const { line, from } of matches) found.set(line, [...(found.get(line) ?? []), from]);
    return found;
  }, [matches]);
  const last = lines.length - 1;
  useEffect(() => {
    if (atEnd && current === null) rows.scrollToIndex(last, { align: "end" });
  }, [rows, last, atEnd, current]);
  const line = current?.line;
  useEffect(() => {
    if (line === undefined) return;
    setAtEnd(false);
    rows.scrollToIndex(line, { align: "center" });
  }, [rows, line]);
  return (
    <div className="relative">
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has one of two roles, and both take a name. */}
      <div
        ref={box}
        role={follow ? "log" : "group"}
        aria-label={label}
        tabIndex={0}
        className="h-[32rem] max-h-[70dvh] overflow-y-auto py-2 font-mono text-xs leading-5"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setAtEnd(scrollHeight - scrollTop - clientHeight < NEAR_PX)
        }
      >
        <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const shown = lines[row.index];
            return (
              shown && (
                <div
                  key={row.key}
                  data-index={row.index}
                  ref={rows.measureElement}
                  className="absolute top-0 left-0 w-full"
                  style={{ transform: `translateY(${row.start}px)` }}
                >
                  <LogLine
                    line={shown}
                    showTime={showTimes}
                    matches={byLine.get(row.index) ?? none}
                    length={length}
                    current={current?.line === row.index ? current.from : null}
                  />
                </div>
              )
            );
          })}
        </div>
      </div>
      {!atEnd && (
        <Button
          size="sm"
          className="absolute right-4 bottom-4 shadow-lg"
          onClick={() => {
            setAtEnd(true);
            rows.scrollToIndex(last, { align: "end" });
          }}
        >
          <ArrowDown aria-hidden="true" />
          {t("newest")}
        </Button>
      )}
    </div>
  );
}
