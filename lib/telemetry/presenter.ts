import type { z } from "zod";
import { writeNanoseconds } from "../contract/moment";
import type { instanceLogLine, instanceMetric } from "../contract/telemetry";
import type { Frames } from "../streams/follow-rows";
import type { LineRow } from "./list-logs";
import type { PointRow } from "./list-metrics";

/** How a stream of an instance ends that is destroyed. */
export const DESTROYED: Frames = { text: 'event: end\ndata: {"reason":"destroyed"}\n\n', isLast: true };

export function presentLine({ id, atNs, stream, text }: LineRow): z.output<typeof instanceLogLine> {
  return { id: String(id), at: writeNanoseconds(atNs), stream, text };
}

export function presentPoint(row: PointRow): z.output<typeof instanceMetric> {
  return {
    at: row.at.toISOString(),
    gpu_util: row.gpuUtil,
    cpu_util: row.cpuUtil,
    ram_util: row.ramUtil,
    mem_util: row.memUtil,
    inet_in: Number(row.inetIn),
    inet_out: Number(row.inetOut),
  };
}
