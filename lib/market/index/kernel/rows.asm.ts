// AssemblyScript (https://www.assemblyscript.org), compiled by scripts/prepare.mjs: what is done to whole sets of rows, 128 rows at a
// time. A set is named by its address in the memory; `from` and `to` are in bytes from there, multiples of 16.

/** Leaves the rows that are in `within`. @returns whether any is left */
export function keep(found: usize, within: usize, from: usize, to: usize): bool {
  let left = i64x2.splat(0);
  for (let i = from; i < to; i += 16) {
    const kept = v128.and(v128.load(found + i), v128.load(within + i));
    v128.store(found + i, kept);
    left = v128.or(left, kept);
  }
  return v128.any_true(left);
}

/** Takes out the rows that are in `without`. @returns whether any is left */
export function drop(found: usize, without: usize, from: usize, to: usize): bool {
  let left = i64x2.splat(0);
  for (let i = from; i < to; i += 16) {
    const kept = v128.andnot(v128.load(found + i), v128.load(without + i));
    v128.store(found + i, kept);
    left = v128.or(left, kept);
  }
  return v128.any_true(left);
}

/** Adds the rows of `more`. */
export function add(rows: usize, more: usize, from: usize, to: usize): void {
  for (let i = from; i < to; i += 16) {
    v128.store(rows + i, v128.or(v128.load(rows + i), v128.load(more + i)));
  }
}

/**
 * Adds the rows of `more` that are in one part of it.
 * @param digits the first of four sets, `stride` bytes apart: which part a row is in, the highest binary digit first
 * @param part 0 to 15
 */
export function addPart(
  rows: usize,
  more: usize,
  digits: usize,
  stride: usize,
  part: u32,
  from: usize,
  to: usize,
): void {
  const p3 = digitOf(part, 3);
  const p2 = digitOf(part, 2);
  const p1 = digitOf(part, 1);
  const p0 = digitOf(part, 0);
  const d3 = digits;
  const d2 = d3 + stride;
  const d1 = d2 + stride;
  const d0 = d1 + stride;
  for (let i = from; i < to; i += 16) {
    let equal = v128.load(more + i);
    equal = v128.andnot(equal, v128.xor(v128.load(d3 + i), p3));
    equal = v128.andnot(equal, v128.xor(v128.load(d2 + i), p2));
    equal = v128.andnot(equal, v128.xor(v128.load(d1 + i), p1));
    equal = v128.andnot(equal, v128.xor(v128.load(d0 + i), p0));
    v128.store(rows + i, v128.or(v128.load(rows + i), equal));
  }
}

/**
 * From sets of rows that meet one filter each makes sets of rows that meet all but that one.
 * @param live the rows that there are, which `found` are those of that meet all
 * @param met the first of `sets` sets, `stride` bytes apart
 */
export function spareEach(
  live: usize,
  found: usize,
  met: usize,
  stride: usize,
  sets: u32,
  from: usize,
  to: usize,
): void {
  const end = met + stride * sets;
  for (let i = from; i < to; i += 16) {
    let all = v128.load(live + i);
    // Of these one filter, whichever, is not met.
    let once = i64x2.splat(0);
    for (let set = met; set < end; set += stride) {
      const rows = v128.load(set + i);
      once = v128.or(v128.and(once, rows), v128.andnot(all, rows));
      all = v128.and(all, rows);
    }
    v128.store(found + i, all);
    for (let set = met; set < end; set += stride) {
      v128.store(set + i, v128.or(all, v128.andnot(once, v128.load(set + i))));
    }
  }
}

/**
 * Writes the rows to a list of 32-bit numbers, ascending. Behind the last up to four more words are written over.
 * @returns how many there are
 */
export function list(rows: usize, into: usize, to: usize): u32 {
  let next = into;
  for (let i: usize = 0; i < to; i += 8) {
    let word = load<u64>(rows + i);
    const first = <u32>(i << 3);
    // Four at a time without asking whether there are so many: a branch that is guessed wrong costs more.
    while (word !== 0) {
      const end = next + ((<usize>popcnt(word)) << 2);
      store<u32>(next, first + <u32>ctz(word));
      word &= word - 1;
      store<u32>(next + 4, first + <u32>ctz(word));
      word &= word - 1;
      store<u32>(next + 8, first + <u32>ctz(word));
      word &= word - 1;
      store<u32>(next + 12, first + <u32>ctz(word));
      word &= word - 1;
      next = min(next + 16, end);
    }
  }
  return <u32>((next - into) >> 2);
}

/**
 * Lowers to the least value what is known of each code, and counts them.
 * @param values 64-bit floats of all rows; those of the listed ones are known
 * @param least one a code
 */
export function lower(
  rows: usize,
  length: usize,
  codes: usize,
  values: usize,
  least: usize,
  counts: usize,
): void {
  for (let i: usize = 0; i < length; i += 1) {
    const row = <usize>load<u32>(rows + (i << 2));
    const code = <usize>load<u16>(codes + (row << 1));
    const count = counts + (code << 2);
    store<u32>(count, load<u32>(count) + 1);
    const place = least + (code << 3);
    store<f64>(place, min(load<f64>(place), load<f64>(values + (row << 3))));
  }
}

/**
 * Changes how many rows there are of each code, by `step` a row.
 * @param rows a list of 32-bit numbers
 * @param codes 16 bits each, `stride` bytes apart
 * @param isOnCards the codes are of the rows of the list, one after the other, and not of all rows
 * @param counts by code; behind them as much room again, all 0, for the second of each two rows: where the same count changes twice in
 *   a row, the second waits for the first
 * @param size codes are below this, or not counted
 */
export function tally(
  rows: usize,
  length: usize,
  codes: usize,
  stride: usize,
  isOnCards: bool,
  counts: usize,
  size: usize,
  step: i32,
): void {
  const room = counts + (1 << 18);
  let i: usize = 0;
  for (; i + 1 < length; i += 2) {
    change(counts, codeAt(rows, i, codes, stride, isOnCards), step);
    change(room, codeAt(rows, i + 1, codes, stride, isOnCards), step);
  }
  if (i < length) change(counts, codeAt(rows, i, codes, stride, isOnCards), step);
  for (let code: usize = 0; code < size; code += 1) {
    const second = room + (code << 2);
    change(counts, code, load<i32>(second));
    store<i32>(second, 0);
  }
}

/**
 * Writes to a list which of the rows, by their place among them, have a code that is asked for. The other arguments are those of `tally`.
 * @param isAsked a byte a code
 * @returns how many
 */
export function pick(
  rows: usize,
  length: usize,
  codes: usize,
  stride: usize,
  isOnCards: bool,
  isAsked: usize,
  into: usize,
): u32 {
  let next = into;
  for (let i: usize = 0; i < length; i += 1) {
    store<u32>(next, <u32>i);
    next += (<usize>load<u8>(isAsked + codeAt(rows, i, codes, stride, isOnCards))) << 2;
  }
  return <u32>((next - into) >> 2);
}

/** Writes the cards of these rows, 32 bytes each, one after the other. */
export function gather(rows: usize, length: usize, cards: usize, into: usize): void {
  for (let i: usize = 0; i < length; i += 1) {
    const card = cards + ((<usize>load<u32>(rows + (i << 2))) << 5);
    const to = into + (i << 5);
    v128.store(to, v128.load(card));
    v128.store(to + 16, v128.load(card + 16));
  }
}

/** How many rows there are. */
export function count(rows: usize, from: usize, to: usize): u32 {
  let sums = i32x4.splat(0);
  for (let i = from; i < to; i += 16) sums = i32x4.add(sums, countEach(v128.load(rows + i)));
  return sum(sums);
}

/** How many rows are in both. */
export function countBoth(a: usize, b: usize, from: usize, to: usize): u32 {
  let sums = i32x4.splat(0);
  for (let i = from; i < to; i += 16) {
    sums = i32x4.add(sums, countEach(v128.and(v128.load(a + i), v128.load(b + i))));
  }
  return sum(sums);
}

/**
 * Leaves the rows before a bin, or those after it that are in `known`. What becomes of the rows in the bin itself says `edge`: 0: they go,
 * 1: they stay, 2: they go and are written to `same`, from its beginning on.
 * @param before rows of the coarse bins before the bin's own
 * @param upTo those and the rows of its own
 * @param digits the first of four sets, `stride` bytes apart: which part of its coarse bin a row is in, the highest binary digit first
 * @param part the part that the bin is, 0 to 15
 * @returns 1 if any is left, plus 2 if there are any in `same`
 */
export function cut(
  found: usize,
  same: usize,
  before: usize,
  upTo: usize,
  digits: usize,
  stride: usize,
  part: u32,
  known: usize,
  isAfter: bool,
  edge: u32,
  from: usize,
  to: usize,
): u32 {
  const p3 = digitOf(part, 3);
  const p2 = digitOf(part, 2);
  const p1 = digitOf(part, 1);
  const p0 = digitOf(part, 0);
  const stay = i32x4.splat(edge === 1 ? -1 : 0);
  const judged = i32x4.splat(edge === 2 ? -1 : 0);
  const d3 = digits;
  const d2 = d3 + stride;
  const d1 = d2 + stride;
  const d0 = d1 + stride;
  let left = i64x2.splat(0);
  let doubt = i64x2.splat(0);
  for (let i = from; i < to; i += 16) {
    const rows = v128.load(found + i);
    let less = v128.load(before + i);
    let equal = v128.andnot(v128.load(upTo + i), less);
    // Digit by digit as one compares numbers: where this digit of a row differs from the bin's, it is decided.
    let differs = v128.xor(v128.load(d3 + i), p3);
    less = v128.or(less, v128.and(v128.and(equal, differs), p3));
    equal = v128.andnot(equal, differs);
    differs = v128.xor(v128.load(d2 + i), p2);
    less = v128.or(less, v128.and(v128.and(equal, differs), p2));
    equal = v128.andnot(equal, differs);
    differs = v128.xor(v128.load(d1 + i), p1);
    less = v128.or(less, v128.and(v128.and(equal, differs), p1));
    equal = v128.andnot(equal, differs);
    differs = v128.xor(v128.load(d0 + i), p0);
    less = v128.or(less, v128.and(v128.and(equal, differs), p0));
    equal = v128.andnot(equal, differs);
    const side = isAfter ? v128.andnot(v128.load(known + i), v128.or(less, equal)) : less;
    const kept = v128.and(rows, v128.or(side, v128.and(equal, stay)));
    equal = v128.and(v128.and(equal, rows), judged);
    v128.store(found + i, kept);
    v128.store(same + i - from, equal);
    left = v128.or(left, kept);
    doubt = v128.or(doubt, equal);
  }
  return (v128.any_true(left) ? 1 : 0) + (v128.any_true(doubt) ? 2 : 0);
}

function codeAt(rows: usize, i: usize, codes: usize, stride: usize, isOnCards: bool): usize {
  const row = isOnCards ? i : <usize>load<u32>(rows + (i << 2));
  return <usize>load<u16>(codes + row * stride);
}

function change(counts: usize, code: usize, by: i32): void {
  const place = counts + (code << 2);
  store<i32>(place, load<i32>(place) + by);
}

/** A binary digit of a part, in every bit. */
function digitOf(part: u32, digit: u32): v128 {
  return i32x4.splat(-(<i32>((part >> digit) & 1)));
}

function countEach(bits: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(bits)));
}

function sum(sums: v128): u32 {
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}
