import { Known } from "../kernel/known";
import type { Caller } from "./caller";

/** A key as it was when it was looked up, and who calls with it. */
export interface KnownKey {
  id: string;
  caller: Caller;
  /** Its use was not written down for a minute. */
  isUnnoted: boolean;
  /** In milliseconds; null: never. */
  expiresIn: number | null;
}

/** Less than the second within which every node sees that a key was revoked. */
const KNOWN_MS = 900;
const MOST = 10_000;

// Next bundles its route modules apart from the server around them, and both know the same keys.
const shared = globalThis as typeof globalThis & { berthKeys?: Known<KnownKey | null> };

/**
 * Who calls with a token by `lookUp`, which is asked once for all who come with that very token, secret and all, within
 * 900 ms of its beginning.
 */
export function knowKey(token: string, lookUp: () => Promise<KnownKey | null>): Promise<KnownKey | null> {
  shared.berthKeys ??= new Known({
    most: MOST,
    ms: KNOWN_MS,
    // What is no key is forgotten once that is known, so that made-up ones do not push the real ones out.
    keepMs: (key) => (key ? (key.expiresIn ?? KNOWN_MS) : 0),
  });
  return shared.berthKeys.get(token, lookUp);
}

/** To be called once a key or an account has changed: this node looks every key up anew. The others do so by themselves, 900 ms later at most. */
export function forgetKeys(): void {
  shared.berthKeys?.clear();
}
