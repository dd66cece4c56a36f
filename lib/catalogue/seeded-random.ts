/** Reproducible randomness for generated data; not for secrets. */
export type SeededRandom = {
  /** In [0, 1). */
  unit(): number;
  /** In [from, to). */
  between(from: number, to: number): number;
  /** Around 0 with a deviation of about 0.7, within ±3. */
  bell(): number;
  chance(share: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** An item by weight; the weights are summed up by weighted(). */
  draw<T>(table: Weighted<T>): T;
};

export type Weighted<T> = { items: readonly [T, ...T[]]; upTo: readonly number[]; sum: number };

/** Prepares items for drawing in proportion to their weights. Throws when there is none. */
export function weighted<T>(pairs: readonly (readonly [item: T, weight: number])[]): Weighted<T> {
  const [first, ...rest] = pairs.map(([item]) => item);
  if (first === undefined) throw new Error("There is nothing to draw from.");
  let sum = 0;
  const upTo = pairs.map(([, weight]) => (sum += weight));
  return { items: [first, ...rest], upTo, sum };
}

/** 32 well-mixed bits of a seed: FNV-1a, then MurmurHash3's finaliser. */
function hashSeed(seed: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let at = 0; at < seed.length; at += 1) hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The same seed gives the same numbers on every machine. The generator is sfc32 of PractRand (public domain). */
export function createSeededRandom(seed: string): SeededRandom {
  let a = hashSeed(seed, 1);
  let b = hashSeed(seed, 2);
  let c = hashSeed(seed, 3);
  let counter = 1;
  const unit = () => {
    const out = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + out) | 0;
    return (out >>> 0) / 4294967296;
  };
  for (let warm = 0; warm < 15; warm += 1) unit();
  return {
    unit,
    between: (from, to) => from + (to - from) * unit(),
    bell: () => unit() + unit() + unit() + unit() + unit() + unit() - 3,
    chance: (share) => unit() < share,
    pick: (items) => items[Math.floor(unit() * items.length)] ?? items[0],
    draw: (table) => {
      const at = unit() * table.sum;
      let low = 0;
      let high = table.upTo.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (at < (table.upTo[middle] ?? table.sum)) high = middle;
        else low = middle + 1;
      }
      return table.items[low] ?? table.items[0];
    },
  };
}
