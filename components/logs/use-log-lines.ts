"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { type AnswerOf, callOperation } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import { useStream } from "@/lib/client/use-stream";

export type LogLine = AnswerOf<"listInstanceLogs">["data"][number];

const TAIL = 1_000;
/** As many as the server keeps. */
const MOST = 10_000;
const FLUSH_MS = 100;

/** The logs of an instance: its newest lines, and what comes behind them as it is written. */
export function useLogLines(id: string) {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const coming = useRef<LogLine[]>([]);
  const params = { instance_id: id };
  const first = useQuery({
    ...operationQuery("listInstanceLogs", { params, query: { tail: TAIL } }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const newest = first.data?.data;
  useEffect(() => {
    if (newest) setLines((now) => merge(now, newest));
  }, [newest]);
  useStream({
    url: first.data ? `/v0/instances/${encodeURIComponent(id)}/logs?tail=${TAIL}` : null,
    events: ["log"],
    onEvent: ({ data }) => void coming.current.push(JSON.parse(data) as LogLine),
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (coming.current.length === 0) return;
      const arrived = coming.current.splice(0);
      setLines((now) => merge(now, arrived));
    }, FLUSH_MS);
    return () => clearInterval(timer);
  }, []);
  const loadAll = useCallback(async () => {
    const kept = await listKept(id);
    setLines((now) => merge(kept, now));
    return kept;
  }, [id]);
  const total = Math.max(lines.length, (first.data?.total_items ?? 0) + countBehind(lines, newest));
  return {
    lines,
    total,
    loadAll,
    isPending: first.isPending,
    error: first.data ? null : first.error,
    retry: first.refetch,
  };
}

/** All that is kept, a page at a time. @throws ApiError */
async function listKept(id: string): Promise<LogLine[]> {
  const kept: LogLine[] = [];
  for (let after = "0"; kept.length < MOST * 2; ) {
    const { data } = await callOperation("listInstanceLogs", {
      params: { instance_id: id },
      query: { after, limit: TAIL },
    });
    kept.push(...data);
    if (data.length < TAIL) break;
    after = data.at(-1)?.id ?? after;
  }
  return kept;
}

function countBehind(lines: readonly LogLine[], newest: readonly LogLine[] | undefined): number {
  const last = newest?.at(-1);
  return last ? lines.filter((line) => isBehind(line, last)).length : 0;
}

/** Ids are digits: the longer one is the later. */
function isBehind(a: LogLine, b: LogLine): boolean {
  return a.id.length === b.id.length ? a.id > b.id : a.id.length > b.id.length;
}

/** Both in their order: of the second what is not yet in the first. */
function merge(now: readonly LogLine[], more: readonly LogLine[]): readonly LogLine[] {
  const last = now.at(-1);
  const added = last ? more.filter((line) => isBehind(line, last)) : more;
  return added.length === 0 ? now : [...now, ...added].slice(-MOST);
}
