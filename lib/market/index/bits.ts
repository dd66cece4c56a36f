/** A set of rows: row r is bit r % 32 of word r / 32. */
export type Bits = Int32Array;

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
