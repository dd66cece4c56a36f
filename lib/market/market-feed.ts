import { z } from "zod";
import { MOST_NAMED_OFFERS } from "../contract/market-change";
import { listen } from "../db/listen";

/** So many milliseconds at least lie between two changes that are told. */
const GAP_MS = 1_000;

/** What changed. */
export interface MarketChange {
  /** When; null: unknown, the last change that there is. */
  at: Date | null;
  /** Absent ones did not change; null: any may have. */
  offerIds: ReadonlySet<string> | null;
}

/** Any offer may have changed. */
export const ANY_CHANGE: MarketChange = { at: null, offerIds: null };

/** What the triggers of the table send. */
const hint = z.object({ at: z.coerce.date(), ids: z.array(z.string()).nullable() });

const followers = new Set<(change: MarketChange) => void>();
let listener: { stop(): Promise<void> } | undefined;
let gathered: MarketChange | null = null;
let timer: NodeJS.Timeout | undefined;
let toldAt = Number.NEGATIVE_INFINITY;

/**
 * Tells of changes of the market, by whichever node, at most once a second. One connection serves all followers of a process;
 * it opens with the first and closes with the last. Whenever it is made again, anything may have changed.
 * @returns ends it
 */
export function followMarket(take: (change: MarketChange) => void): () => void {
  followers.add(take);
  listener ??= listen("berth_market", "berth market hints", hear);
  return () => {
    if (!followers.delete(take) || followers.size > 0) return;
    void listener?.stop();
    listener = undefined;
    clearTimeout(timer);
    timer = undefined;
    gathered = null;
  };
}

/** Two changes as one. */
export function joinChanges(a: MarketChange | null, b: MarketChange): MarketChange {
  if (!a) return b;
  const at = a.at && b.at && new Date(Math.max(a.at.getTime(), b.at.getTime()));
  const ids = a.offerIds && b.offerIds && new Set([...a.offerIds, ...b.offerIds]);
  return { at, offerIds: ids && ids.size <= MOST_NAMED_OFFERS ? ids : null };
}

function hear(payload: string | undefined): void {
  if (followers.size === 0) return;
  gathered = joinChanges(gathered, payload === undefined ? ANY_CHANGE : readHint(payload));
  timer ??= setTimeout(tell, Math.max(0, toldAt + GAP_MS - performance.now()));
}

function readHint(payload: string): MarketChange {
  const { at, ids } = hint.parse(JSON.parse(payload));
  return { at, offerIds: ids && new Set(ids) };
}

function tell(): void {
  timer = undefined;
  toldAt = performance.now();
  const change = gathered ?? ANY_CHANGE;
  gathered = null;
  for (const take of followers) take(change);
}
