"use client";

import { useTranslations } from "next-intl";
import { useDeferredValue, useMemo, useState } from "react";
import { Problem, Skeleton, useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { findMatches, type Match, toPlain } from "@/lib/client/log-text";
import { saveFile } from "@/lib/client/save-file";
import { sshAlias } from "@/lib/client/ssh-config";
import { LogBar } from "./log-bar";
import { LogLines } from "./log-lines";
import { type LogLine, useLogLines } from "./use-log-lines";

const plainTexts = new WeakMap<LogLine, string>();

/** Without colours, worked out once a line. */
function plainOf(line: LogLine): string {
  const known = plainTexts.get(line) ?? toPlain(line.text);
  plainTexts.set(line, known);
  return known;
}

/** What an instance writes, as it writes it. */
export function LogView({ id, name }: { id: string; name: string }) {
  const t = useTranslations("instances.logs");
  const explain = useProblemText();
  const { lines, total, loadAll, isPending, error, retry } = useLogLines(id);
  /** The last line that is shown while the view stands still. */
  const [stopped, setStopped] = useState<string | null>(null);
  const [wanted, setWanted] = useState("");
  const [at, setAt] = useState(0);
  const [showTimes, setShowTimes] = useState(false);
  const search = useDeferredValue(wanted.trim());
  const shown = useMemo(() => upTo(lines, stopped), [lines, stopped]);
  const matches = useMemo<Match[]>(
    () => (search === "" ? [] : findMatches(shown.map(plainOf), search)),
    [shown, search],
  );
  if (isPending) return <Skeleton className="h-[32rem]" />;
  if (error) return <Problem error={error} retry={() => void retry()} />;
  const current = matches.length === 0 ? null : Math.min(at, matches.length - 1);
  const step = (by: number) => {
    if (current !== null) setAt((current + by + matches.length) % matches.length);
  };
  const download = async () => {
    try {
      save(`${sshAlias(name, id)}.log`, await loadAll());
    } catch (failure) {
      toast.error(t("downloadFailed"), { description: explain(failure) });
    }
  };
  const older = () =>
    loadAll().catch((failure) => toast.error(t("downloadFailed"), { description: explain(failure) }));
  return (
    <div className="rounded-xl border bg-surface">
      <LogBar
        wanted={wanted}
        onWanted={(value) => {
          setWanted(value);
          setAt(0);
        }}
        at={current === null ? 0 : current + 1}
        count={matches.length}
        onStep={step}
        paused={stopped !== null}
        missed={lines.length - shown.length}
        onPause={() => setStopped(stopped === null ? (lines.at(-1)?.id ?? "0") : null)}
        shown={shown.length}
        total={Math.max(total, lines.length)}
        onOlder={() => void older()}
        onDownload={() => void download()}
        showTimes={showTimes}
        onShowTimes={setShowTimes}
      />
      {shown.length === 0 ? (
        <p className="px-4 py-16 text-center text-sm text-subtle">{t("empty")}</p>
      ) : (
        <LogLines
          label={t("label", { name })}
          lines={shown}
          matches={matches}
          length={search.length}
          current={current === null ? null : (matches[current] ?? null)}
          follow={stopped === null}
          showTimes={showTimes}
        />
      )}
    </div>
  );
}

/** The lines up to the one with this id; all where none is given. */
function upTo(lines: readonly LogLine[], id: string | null): readonly LogLine[] {
  if (id === null) return lines;
  const last = lines.findLastIndex((line) => line.id === id);
  return last < 0 ? [] : lines.slice(0, last + 1);
}

function save(name: string, lines: readonly LogLine[]): void {
  saveFile(name, lines.map((line) => `${line.at} ${line.stream} ${plainOf(line)}\n`).join(""));
}
