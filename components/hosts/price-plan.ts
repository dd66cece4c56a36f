import type { Host } from "./host-queries";
import { changeBy, readPercent, readPrice, roundTo, toMicro, toPrice } from "./new-price";

export interface Wish {
  mode: "set" | "change";
  /** As typed: a price, or per cent. */
  text: string;
  /** In micro-units. */
  step: bigint;
}

/** What one host would cost, or why not. */
export interface Plan {
  host: Host;
  next: number | null;
  why: "same" | "skipped" | "tooLow" | "untyped" | null;
}

/** Whether the text says a price or a change at all. */
export function isReadable({ mode, text }: Wish): boolean {
  return (mode === "set" ? readPrice(text) : readPercent(text)) !== null;
}

export function planPrice(host: Host, { mode, text, step }: Wish): Plan {
  const old = host.offer.real_price;
  const exact = mode === "set" ? readPrice(text) : changedPrice(old, text);
  if (exact === null)
    return { host, next: null, why: mode === "change" && old === null ? "skipped" : "untyped" };
  const micro = roundTo(exact, step);
  if (micro <= 0n) return { host, next: null, why: "tooLow" };
  const next = toPrice(micro);
  return next === old ? { host, next: null, why: "same" } : { host, next, why: null };
}

function changedPrice(old: number | null, text: string): bigint | null {
  const change = readPercent(text);
  return old === null || change === null ? null : changeBy(toMicro(old), change);
}
