import type { Moment } from "../contract/moment";
import { makeHints } from "../db/hints";
import type { Ctx } from "../kernel/ctx";
import { type Follower, followRows, PACE, type Pace, toFrame } from "../streams/follow-rows";
import { makeFollowerPlaces } from "../streams/follower-places";
import { findMetricStart, readMetrics } from "./list-metrics";
import { DESTROYED, presentPoint } from "./presenter";

const AT_ONCE = 500;

/** Told by the trigger of the table, with the instance. */
const hints = makeHints("berth_metric", "berth metric hints");
const takePlace = makeFollowerPlaces("metrics");

/** Points of one instance commit in the order of their times: one look after a hint is enough. */
const METRIC_PACE: Pace = { ...PACE, soonMs: [] };

export interface MetricWish extends Follower {
  /** The first instant; absent: what is measured from now on. */
  from?: Moment | undefined;
  /** The time of the last point that was received, which wins. */
  behind?: Moment | undefined;
}

/**
 * The points of one's own instance as a `text/event-stream`, as they come, until it is destroyed.
 * @throws DomainError not_found, too_many_requests
 */
export async function followMetrics(
  ctx: Ctx,
  instanceId: string,
  { ends, isStillAllowed, ...wish }: MetricWish,
  pace: Pace = METRIC_PACE,
): Promise<ReadableStream<Uint8Array>> {
  let behind = await findMetricStart(ctx, instanceId, wish);
  const beginning = behind.toISOString();
  const read = async () => {
    const points = await readMetrics(ctx, instanceId, { behind, limit: AT_ONCE });
    if (!points) return DESTROYED;
    behind = points.at(-1)?.at ?? behind;
    return {
      text: points
        .map(presentPoint)
        .map((point) => toFrame(point.at, "metric", point))
        .join(""),
    };
  };
  const release = takePlace(ctx.userId);
  return followRows({ ends, isStillAllowed, beginning, read, release, hint: hints.follow(instanceId) }, pace);
}
