import type { RunRecord } from "./run-record";

/** A container as the engine describes it now. */
export interface SeenContainer {
  id: string;
  pid: number;
  isRunning: boolean;
  /** Its processes stand still (cgroup freezer), which is no pause in our sense. */
  isFrozen: boolean;
  /** Of its last run, as the engine writes it; null where it never ran. */
  startedAt: string | null;
  finishedAtMs: number;
  exitCode: number;
  wasOutOfMemory: boolean;
}

export interface Situation {
  wanted: "running" | "paused";
  /** The boot that is wished. */
  boot: number;
  record: RunRecord | null;
  container: SeenContainer | null;
  machineBoot: string;
  /** Whether the engine was away when the container ended. */
  wasEngineAway: boolean;
}

/** The one next thing to do, or what there is to say because nothing is. */
export type Step =
  | { do: "create" }
  | { do: "start" }
  | { do: "stop" }
  | { do: "thaw" }
  | { do: "restore record" }
  /** Written before what it announces is done. */
  | { do: "record"; boot: number; mark: string | null }
  | { do: "nothing"; state: "running" | "stopped" | "exited" };

/**
 * What brings a container nearer to what is wanted of it. Runs are told apart by StartedAt: the one that the record marks
 * has to end, or was ended on purpose; one that ended without a mark ended by itself, and stays so until another boot is wished.
 */
export function decideStep(situation: Situation): Step {
  const { wanted, record, container } = situation;
  if (!container) return wanted === "running" ? { do: "create" } : { do: "nothing", state: "stopped" };
  if (!record) return { do: "restore record" };
  return wanted === "running"
    ? decideRunning(situation, record, container)
    : decidePaused(situation, record, container);
}

function decideRunning(
  { boot, machineBoot, wasEngineAway }: Situation,
  record: RunRecord,
  container: SeenContainer,
): Step {
  const { startedAt } = container;
  if (startedAt === null) {
    return record.boot < boot ? { do: "record", boot, mark: null } : { do: "start" };
  }
  const isMarked = record.mark === startedAt;
  if (record.boot < boot) return { do: "record", boot, mark: startedAt };
  if (container.isRunning) {
    if (isMarked) return { do: "stop" };
    return container.isFrozen ? { do: "thaw" } : { do: "nothing", state: "running" };
  }
  if (isMarked) return { do: "start" };
  const endedWithMachine = record.machineBoot !== machineBoot;
  if (endedWithMachine || wasEngineAway) return { do: "record", boot, mark: startedAt };
  return { do: "nothing", state: "exited" };
}

function decidePaused({ boot }: Situation, record: RunRecord, container: SeenContainer): Step {
  const { startedAt, isRunning } = container;
  if (record.boot < boot || record.mark !== startedAt) return { do: "record", boot, mark: startedAt };
  return isRunning ? { do: "stop" } : { do: "nothing", state: "stopped" };
}
