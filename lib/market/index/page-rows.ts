import type { Bits } from "./bits";
import type { RangeColumn } from "./range-column";
import type { RowOrder } from "./row-order";
import type { RowSpace } from "./row-space";

/** So many rows are put in order as they are; of more the bins about where the page is. */
const MANY = 4_096;
/** About so many rows tell how all of them are spread. */
const SAMPLED = 8_192;
/** So many times as many rows as are wanted should be in the first bins. */
const GUESSED = 1.5;

interface Page {
  column: RangeColumn;
  descending: boolean;
  order: RowOrder;
  start: number;
  limit: number;
}

/** What every search of an index uses again. */
export interface PageTools {
  space: RowSpace;
  /** Ids as numbers, for the order of rows of the same value. */
  heads: RangeColumn;
  /** Room for a set of rows, and for a set of those. */
  sets: readonly [Bits, Bits];
}

/** A page of the rows of `found`, `total` in all, in the order of a column; unknown values come last in both directions. */
export function pageRows(found: Bits, total: number, page: Page, tools: PageTools): number[] {
  const { column, descending, order, start, limit } = page;
  const end = start + limit;
  const known = column.known;
  const [some, within] = tools.sets;
  if (total <= MANY) return order.take(tools.space.list(found), start, end);

  /** Leaves in `some` what is found in these bins, counted in the order of the page. @returns how many rows that are */
  function look(from: number, to: number): number {
    some.set(found);
    if (descending) column.keepBins(some, bins - to, bins - 1 - from);
    else column.keepBins(some, from, to - 1);
    return tools.space.count(some);
  }

  /** Takes what of the page is in `some`. */
  function take(inside: number, areAlike: boolean): void {
    const part = { start: Math.max(0, start - before), limit: Math.min(limit, end - before) };
    if (areAlike && inside > MANY && column !== tools.heads) {
      const byId = { ...part, column: tools.heads, descending: false, order };
      taken.push(...pageRows(some, inside, byId, { ...tools, sets: [within, within] }));
    } else {
      taken.push(...order.take(tools.space.list(some), part.start, end - before));
    }
  }

  function reachBySample(): number {
    sample ??= sampleBins(found, column, descending, every);
    return reach(sample, bin, end - before, every);
  }

  const taken: number[] = [];
  const bins = column.binCount;
  const every = Math.max(1, Math.floor(total / SAMPLED));
  let sample: Uint32Array | undefined;
  let [bin, before] = end <= MANY ? [0, 0] : findBin(start, bins, look);
  // Bins are about as full as each other, and so is most often what is found of them; where it is not, a sample tells more. The bin in which
  // a deep page begins is looked at alone: it may have far more rows before the page than the page has.
  let to = end <= MANY ? Math.min(bins, Math.ceil((GUESSED * end * bins) / total)) : bin + 1;
  while (before < Math.min(end, total) && bin < bins) {
    const inside = look(bin, to);
    if (!sample && inside > MANY && to - bin > 1) {
      to = reachBySample();
      continue;
    }
    const areAlike = to - bin === 1 && column.isUniform(descending ? bins - to : bin);
    if (before + inside > start) take(inside, areAlike);
    before += inside;
    bin = to;
    if (before < end) to = reachBySample();
  }
  if (before < Math.min(end, total)) {
    some.set(found);
    tools.space.drop(some, known);
    take(total - before, true);
  }
  return taken;
}

/** The last bin before which there are at most `start` rows, and how many. */
function findBin(
  start: number,
  bins: number,
  look: (from: number, to: number) => number,
): [bin: number, before: number] {
  let [low, high, before] = [0, bins, 0];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const inside = look(0, middle);
    if (inside <= start) [low, before] = [middle, inside];
    else high = middle - 1;
  }
  return [low, before];
}

/** How many rows of each bin there are in a few words of a set, in the order of the page. */
function sampleBins(found: Bits, column: RangeColumn, descending: boolean, every: number): Uint32Array {
  const bins = column.binCount;
  const counts = new Uint32Array(bins);
  for (let i = 0; i < found.length; i += every) {
    let word = found[i] as number;
    while (word !== 0) {
      const bin = column.binAt((i << 5) + 31 - Math.clz32(word & -word));
      word &= word - 1;
      if (bin < 0) continue;
      const place = descending ? bins - 1 - bin : bin;
      counts[place] = (counts[place] as number) + 1;
    }
  }
  return counts;
}

/** Up to which bin, not included, so many rows should be, going by the sample. */
function reach(sample: Uint32Array, bin: number, rows: number, every: number): number {
  const wanted = 2 + (1.5 * rows) / every;
  let [to, seen] = [bin, 0];
  while (to < sample.length && seen < wanted) {
    const here = sample[to] as number;
    // A bin that alone has enough is looked at alone: its rows may all be alike.
    if (to > bin && seen > 0 && here > wanted) break;
    seen += here;
    to += 1;
  }
  return Math.max(to, bin + 1);
}
