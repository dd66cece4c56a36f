import { inTransaction } from "@/lib/db/client";
import { appendLogs, type NewLine } from "@/lib/telemetry/record-telemetry";

let lastNs = 0n;
/** A time later than each before. */
export function nextNs(): bigint {
  const now = BigInt(Date.now()) * 1_000_000n;
  lastNs = now > lastNs ? now : lastNs + 1n;
  return lastNs;
}

export function makeLine(instanceId: string, text: string, atNs = nextNs()): NewLine {
  return { instanceId, atNs, stream: "stdout", text };
}

/** As a report of an agent does it, under the locks of the instances; `make` is called under them. */
export function appendUnderLock(instanceIds: readonly string[], make: () => NewLine[]) {
  const ids = [...instanceIds].sort();
  return inTransaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM instance WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`;
    return appendLogs(tx, ids, make());
  });
}

export const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => `line ${from + n}`);
