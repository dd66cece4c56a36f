import { z } from "zod";
import { count, integerParameter, listEnvelope, pagingParameters, parameter, timestamp } from "./common";
import { momentParameter } from "./moment";

export const MAX_TAIL = 1000;

/** Told apart by what wrote it. */
const logStreams = ["stdout", "stderr", "system"] as const;

export const instanceLogLine = z
  .strictObject({
    id: z.string().meta({ description: "The cursor to go on from" }),
    at: timestamp.meta({ description: "On the machine's clock, to the nanosecond" }),
    stream: z.enum(logStreams).meta({ description: "`system` is what the platform says" }),
    text: z.string().meta({ description: "One line, without its end" }),
  })
  .meta({ id: "InstanceLogLine" });

const MAX_ID = 2n ** 63n - 1n;

/** Whether a text has the shape of a line's id. */
export function isLineId(text: string): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) <= MAX_ID;
}

export const LINE_ID_WANTED =
  "Must be the id of a line of this instance, or 0 to begin with the first that is kept";

export const listInstanceLogsQuery = z.object({
  tail: integerParameter({ min: 0, max: MAX_TAIL, absent: 100 }).meta({
    description:
      "The newest so many lines, the oldest of them first; where `after` is given it counts for nothing.",
  }),
  since: momentParameter("Only lines from this instant on."),
  after: parameter(
    z.string().refine(isLineId, { message: LINE_ID_WANTED, params: { type: "value_error" } }),
  ).meta({
    type: "string",
    description: "The id of a line: the first `limit` lines behind it. `0`: from the first that is kept.",
  }),
  limit: pagingParameters.limit.meta({ description: "With `after`: how many lines to answer at most." }),
});

const percent = z.number().min(0).max(100);
const bytes = z.number().int().nonnegative();

export const instanceMetric = z
  .strictObject({
    at: timestamp.meta({ description: "When the step begins" }),
    gpu_util: percent,
    cpu_util: percent,
    ram_util: percent,
    mem_util: percent.meta({ description: "Of the GPUs' memory" }),
    inet_in: bytes.meta({ description: "Bytes since the container was made" }),
    inet_out: bytes.meta({ description: "Bytes since the container was made" }),
  })
  .meta({ id: "InstanceMetric" });

export const instanceMetrics = listEnvelope(instanceMetric).extend({
  step: count.meta({
    description: "Seconds from one point to the next; where nothing was measured there is none",
  }),
});

export const listInstanceMetricsQuery = z.object({
  from: momentParameter("Points from this instant on. Default: an hour before `to`."),
  to: momentParameter("Points before this instant. Default: now."),
});
