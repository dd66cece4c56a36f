import { LRUCache } from "lru-cache";
import { env } from "../env";

interface Bucket {
  tokens: number;
  at: number;
}

/** Token buckets by name, of which the least used are forgotten: a full bucket and none are the same. */
function makeBuckets(perSecond: number, burst: number) {
  const buckets = new LRUCache<string, Bucket>({ max: 50_000 });
  /** Takes one token. @returns false where none is left */
  return function take(name: string, now = performance.now()): boolean {
    if (env().RATE_LIMIT === "off") return true;
    let bucket = buckets.get(name);
    if (!bucket) {
      bucket = { tokens: burst, at: now };
      buckets.set(name, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * perSecond);
    bucket.at = Math.max(now, bucket.at);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}

/** Requests of one caller (a key or a browser session). */
export const takeCallerToken = makeBuckets(50, 600);

/** Failed keys of one address. A good key is never refused for its address. */
export const takeFailureToken = makeBuckets(5, 300);
