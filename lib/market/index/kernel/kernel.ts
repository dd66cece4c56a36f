import { rowsWasm } from "./generated/rows-wasm";

/** A list of rows, and where the codes of those are. */
export type CodesOfRows = [rows: number, length: number, codes: number, stride: number, isOnCards: number];

/** What `rows.asm.ts` exports: addresses, and parts of sets, in bytes. */
export interface Kernel {
  keep(found: number, within: number, from: number, to: number): number;
  drop(found: number, without: number, from: number, to: number): number;
  add(rows: number, more: number, from: number, to: number): void;
  addPart(
    ...args: [
      rows: number,
      more: number,
      digits: number,
      stride: number,
      part: number,
      from: number,
      to: number,
    ]
  ): void;
  spareEach(
    ...args: [
      live: number,
      found: number,
      met: number,
      stride: number,
      sets: number,
      from: number,
      to: number,
    ]
  ): void;
  list(rows: number, into: number, to: number): number;
  tally(...args: [...CodesOfRows, counts: number, size: number, step: number]): void;
  pick(...args: [...CodesOfRows, isAsked: number, into: number]): number;
  gather(rows: number, length: number, cards: number, into: number): void;
  lower(
    ...args: [rows: number, length: number, codes: number, values: number, least: number, counts: number]
  ): void;
  count(rows: number, from: number, to: number): number;
  countBoth(a: number, b: number, from: number, to: number): number;
  cut(
    ...args: [
      found: number,
      same: number,
      before: number,
      upTo: number,
      digits: number,
      stride: number,
      part: number,
      known: number,
      isAfter: number,
      edge: number,
      from: number,
      to: number,
    ]
  ): number;
}

let compiled: WebAssembly.Module | undefined;

/** The kernel for what is in a memory. */
export function openKernel(memory: WebAssembly.Memory): Kernel {
  compiled ??= new WebAssembly.Module(Buffer.from(rowsWasm, "base64"));
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Kernel;
}
