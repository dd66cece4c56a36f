import type { MarketChangeData } from "../contract/market-change";
import { db } from "../db/client";
import { makeAlarm } from "../kernel/alarm";
import type { Ctx } from "../kernel/ctx";
import { type Follower, followRows, PACE, toFrame } from "../streams/follow-rows";
import { makeFollowerPlaces } from "../streams/follower-places";
import { ANY_CHANGE, followMarket, joinChanges, type MarketChange } from "./market-feed";

const takePlace = makeFollowerPlaces("the market");

/** Nothing is read between hints: the feed notices itself where it has lost one. */
const FEED_PACE = { ...PACE, pollMs: PACE.heartbeatMs, soonMs: [] };

export interface MarketWish extends Follower {
  /** It followed before, and may have missed something meanwhile. */
  isAgain: boolean;
}

/** When an offer last changed; null where there is none. */
export async function findLastChange(): Promise<Date | null> {
  const { _max } = await db().offer.aggregate({ _max: { updatedAt: true } });
  return _max.updatedAt;
}

/**
 * The changes of the market as a `text/event-stream`, as they come.
 * @throws DomainError too_many_requests
 */
export function followMarketChanges(
  ctx: Ctx,
  { isAgain, ...follower }: MarketWish,
): ReadableStream<Uint8Array> {
  const release = takePlace(ctx.userId);
  let waiting: MarketChange | null = isAgain ? ANY_CHANGE : null;
  const alarm = makeAlarm();
  const stop = followMarket((change) => {
    waiting = joinChanges(waiting, change);
    alarm.ring();
  });
  const read = async () => {
    const change = waiting;
    if (!change) return { text: "" };
    const text = frameOf(change, change.at ?? (await findLastChange()));
    if (waiting === change) waiting = null; // else what came meanwhile is told too
    return { text };
  };
  return followRows({ ...follower, read, release, hint: { ...alarm, stop } }, FEED_PACE);
}

function frameOf({ offerIds }: MarketChange, changedAt: Date | null): string {
  if (!changedAt) return "";
  const at = changedAt.toISOString();
  return toFrame(at, "change", { at, offer_ids: offerIds && [...offerIds] } satisfies MarketChangeData);
}
