const MICRO = 1_000_000;

/** Micro-units of a typed price; null where it is none. A comma may stand for the point. */
export function readPrice(text: string): bigint | null {
  const match = /^(\d{1,9})(?:[.,](\d{1,6}))?$/.exec(text.trim());
  if (!match) return null;
  const micro = BigInt(`${match[1]}${(match[2] ?? "").padEnd(6, "0")}`);
  return micro > 0n ? micro : null;
}

/** Hundredths of a per cent of a typed change; null where it is none, or leaves nothing. */
export function readPercent(text: string): bigint | null {
  const match = /^([+-]?)(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(
    text.trim().replace("−", "-").replace(/\s*%$/, ""),
  );
  if (!match) return null;
  const size = BigInt(`${match[2]}${(match[3] ?? "").padEnd(2, "0")}`);
  const change = match[1] === "-" ? -size : size;
  return change > -10_000n ? change : null;
}

/** Half up, to a whole micro-unit. */
export function changeBy(micro: bigint, hundredths: bigint): bigint {
  return (micro * (10_000n + hundredths) + 5_000n) / 10_000n;
}

/** Half up, to a whole number of steps. */
export function roundTo(micro: bigint, step: bigint): bigint {
  return ((micro + step / 2n) / step) * step;
}

export function toMicro(price: number): bigint {
  return BigInt(Math.round(price * MICRO));
}

/** As the API takes it. */
export function toPrice(micro: bigint): number {
  return Number(micro) / MICRO;
}
