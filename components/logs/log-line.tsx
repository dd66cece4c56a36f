"use client";

import { useFormatter, useTranslations } from "next-intl";
import { memo } from "react";
import { cn } from "@/components/ui/cn";
import { cutAt, type Span, toSpans } from "@/lib/client/log-text";
import type { LogLine as Line } from "./use-log-lines";

/** The 16 colours of a terminal, in shades that can be read on both themes. */
const colors: Record<string, string> = {
  black: "text-subtle",
  red: "text-red-700 dark:text-red-400",
  green: "text-green-700 dark:text-green-400",
  yellow: "text-amber-700 dark:text-amber-300",
  blue: "text-blue-700 dark:text-blue-400",
  magenta: "text-fuchsia-700 dark:text-fuchsia-400",
  cyan: "text-cyan-700 dark:text-cyan-300",
  white: "text-foreground",
  "bright-black": "text-subtle",
  "bright-red": "text-red-700 dark:text-red-300",
  "bright-green": "text-green-700 dark:text-green-300",
  "bright-yellow": "text-amber-700 dark:text-amber-200",
  "bright-blue": "text-blue-700 dark:text-blue-300",
  "bright-magenta": "text-fuchsia-700 dark:text-fuchsia-300",
  "bright-cyan": "text-cyan-700 dark:text-cyan-200",
  "bright-white": "text-foreground",
};

interface LogLineProps {
  line: Line;
  showTime: boolean;
  /** Where the search matches in it, how long a match is, and which of them one is at. */
  matches: readonly number[];
  length: number;
  current: number | null;
}

/** One line: pieces of text in its colours, and nothing but text. */
export const LogLine = memo(function LogLine({ line, showTime, matches, length, current }: LogLineProps) {
  const t = useTranslations("instances.logs");
  const format = useFormatter();
  return (
    <div className="flex gap-3 px-3">
      {showTime && (
        <time dateTime={line.at} className="shrink-0 select-none tabular-nums text-subtle">
          {format.dateTime(new Date(line.at), { hour: "2-digit", minute: "2-digit", second: "2-digit" })}
        </time>
      )}
      {line.stream !== "stdout" && (
        <span
          title={t(line.stream)}
          className={cn("shrink-0 select-none", line.stream === "stderr" ? "text-danger" : "text-primary")}
        >
          <span aria-hidden="true">{line.stream === "stderr" ? "!" : "#"}</span>
          <span className="sr-only">{t(line.stream)}: </span>
        </span>
      )}
      <span className="min-w-0 whitespace-pre-wrap break-all">
        {cutAt(toSpans(line.text), matches, length).map((piece, i) => (
          <Piece
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line have no other name.
            key={i}
            span={piece}
            mark={piece.at === null ? null : piece.at === current ? "current" : "other"}
          />
        ))}
      </span>
    </div>
  );
});

function Piece({ span, mark }: { span: Span; mark: "current" | "other" | null }) {
  const { text, color, background, bold, italic, underline } = span;
  const className = cn(
    color && !background && colors[color],
    bold && "font-bold",
    italic && "italic",
    underline && "underline",
  );
  if (mark) {
    return (
      <mark
        className={cn(
          "rounded-sm bg-warning-soft text-on-warning-soft",
          mark === "current" && "outline-2 outline-ring",
        )}
      >
        {text}
      </mark>
    );
  }
  const own = !background && color?.startsWith("#") ? { color } : undefined;
  return (
    <span className={cn(className, background && "bg-muted font-semibold")} style={own}>
      {text}
    </span>
  );
}
