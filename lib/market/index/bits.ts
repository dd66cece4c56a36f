/** A set of rows: row r is bit r % 32 of word r / 32. */
export type Bits = Int32Array;

/** Rows of one set that are not in another; `but` null: all of the first. */
export interface BitsPair {
  in: Bits;
  but: Bits | null;
}

// Under noUncheckedIndexedAccess a typed array answers `number | undefined`; within its length it is a number, and here
// a check would cost more than the work. Past the end bitwise operators take undefined as 0.
export const at = (words: Bits, i: number): number => words[i] as number;

export function setBit(bits: Bits, row: number): void {
  bits[row >>> 5] = at(bits, row >>> 5) | (1 << (row & 31));
}

export function clearBit(bits: Bits, row: number): void {
  bits[row >>> 5] = at(bits, row >>> 5) & ~(1 << (row & 31));
}

export function hasBit(bits: Bits, row: number): boolean {
  return ((at(bits, row >>> 5) >>> (row & 31)) & 1) === 1;
}

/** How many bits of a word are set. */
export function countWord(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let i = 0; i < bits.length; i += 1) count += countWord(at(bits, i));
  return count;
}

/** How many rows are in `of` and in the pair. */
export function countWithin(of: Bits, { in: within, but }: BitsPair): number {
  let count = 0;
  for (let i = 0; i < of.length; i += 1) {
    const word = at(of, i) & at(within, i);
    if (word !== 0) count += countWord(but ? word & ~at(but, i) : word);
  }
  return count;
}

/** Writes the rows of `of` that are in the pair to `rows`, ascending. @returns how many there are */
export function listRows(of: Bits, pair: BitsPair | null, rows: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < of.length; i += 1) {
    let word = at(of, i);
    if (word === 0) continue;
    if (pair) word &= pair.but ? at(pair.in, i) & ~at(pair.but, i) : at(pair.in, i);
    while (word !== 0) {
      rows[count] = (i << 5) + 31 - Math.clz32(word & -word);
      count += 1;
      word &= word - 1;
    }
  }
  return count;
}

/** The same set with room for more rows. */
export function growBits(bits: Bits, words: number): Bits {
  const grown = new Int32Array(words);
  grown.set(bits);
  return grown;
}
