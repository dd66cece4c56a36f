/** Below this many a bounded heap beats sorting all. */
const HEAP_MOST = 1_024;

/** The rows `from` to `from + count` of `rows[0..length)` in order; the order of `rows` itself is lost. */
export function takeInOrder(
  rows: Uint32Array,
  length: number,
  range: { from: number; count: number },
  compare: (a: number, b: number) => number,
): number[] {
  const wanted = Math.min(length, range.from + range.count);
  if (wanted > HEAP_MOST || wanted * 4 > length) {
    const all = Array.from(rows.subarray(0, length)).sort(compare);
    return all.slice(range.from, wanted);
  }
  // The heap is the head of `rows` itself, the last in order at its root.
  for (let i = (wanted >>> 1) - 1; i >= 0; i -= 1) sink(rows, i, wanted, compare);
  for (let i = wanted; i < length; i += 1) {
    const row = rows[i] as number;
    if (compare(row, rows[0] as number) >= 0) continue;
    rows[0] = row;
    sink(rows, 0, wanted, compare);
  }
  return Array.from(rows.subarray(0, wanted)).sort(compare).slice(range.from);
}

function sink(
  heap: Uint32Array,
  start: number,
  length: number,
  compare: (a: number, b: number) => number,
): void {
  const moved = heap[start] as number;
  let hole = start;
  for (;;) {
    let child = 2 * hole + 1;
    if (child >= length) break;
    if (child + 1 < length && compare(heap[child + 1] as number, heap[child] as number) > 0) child += 1;
    if (compare(heap[child] as number, moved) <= 0) break;
    heap[hole] = heap[child] as number;
    hole = child;
  }
  heap[hole] = moved;
}
