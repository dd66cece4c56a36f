import { expect, test } from "vitest";
import { takeEngineTime } from "@/agent/observe/engine-time";
import { LineAssembler } from "@/agent/observe/line-assembler";
import { LineBuffer } from "@/agent/observe/line-buffer";
import { FrameSplitter, RawSplitter } from "@/agent/observe/log-splitter";
import { ReplayCursor } from "@/agent/observe/replay-cursor";
import { LONGEST_LOG_LINE, logLine, MOST_LOG_LINES } from "@/lib/contract/agent-protocol";

function frame(stream: number, text: string | Buffer): Buffer {
  const bytes = Buffer.from(text);
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
}

function assemble(...parts: (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const assembler = new LineAssembler(({ text }) => lines.push(text));
  for (const part of parts) assembler.add("stdout", 1n, Buffer.from(part));
  assembler.flush(0);
  return lines;
}

test("PRB-18 frames come out whole wherever the bytes are cut", () => {
  const bytes = Buffer.concat([frame(1, "one\n"), frame(2, "zwei ü\n"), frame(1, ""), frame(1, "three")]);
  for (let size = 1; size <= bytes.length; size += 1) {
    const pieces: string[] = [];
    const splitter = new FrameSplitter((stream, piece) => pieces.push(`${stream} ${piece}`));
    for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
    expect(pieces).toEqual(["stdout one\n", "stderr zwei ü\n", "stdout three"]);
  }
});

test("PRB-18 a frame of a gigabyte costs no more than a line, and keeps its newline", () => {
  const pieces: Buffer[] = [];
  const splitter = new FrameSplitter((_, piece) => pieces.push(piece));
  const header = frame(1, "");
  header.writeUInt32BE(1024 ** 3, 4);
  splitter.push(header);
  const megabyte = Buffer.alloc(1024 ** 2, "x");
  for (let sent = 1; sent < 1024; sent += 1) splitter.push(megabyte);
  megabyte[megabyte.length - 1] = 10;
  splitter.push(Buffer.concat([megabyte, frame(1, "next\n")]));
  expect(pieces.map((piece) => piece.length)).toEqual([32 * 1024 + 1, 5]);
  expect(pieces[0]?.at(-1)).toBe(10);
  expect(() => splitter.push(Buffer.from("no frames at all"))).toThrow("not in frames");
});

test("PRB-18 a terminal's log is cut at its newlines", () => {
  const pieces: string[] = [];
  const splitter = new RawSplitter((_, piece) => pieces.push(String(piece)));
  for (const chunk of ["a\r\nb", "c\n", "prompt$ "]) splitter.push(Buffer.from(chunk));
  splitter.flush(60_000);
  expect(pieces).toEqual(["a\r\n", "bc\n"]);
  splitter.flush(0);
  expect(pieces).toEqual(["a\r\n", "bc\n", "prompt$ "]);
  for (const chunk of ["2026-11-21T10:32:43Z two", "2026-11-21T10:32:44Z three\n"])
    splitter.push(Buffer.from(chunk));
  expect(pieces.slice(3)).toEqual(["2026-11-21T10:32:43Z two", "2026-11-21T10:32:44Z three\n"]);
});

test.each([
  ["2026-11-21T10:32:43.123456789Z text", 1795257163123456789n, "text"],
  ["2026-11-21T10:32:43.120000000Z text", 1795257163120000000n, "text"],
  ["2026-11-21T11:32:43.5+01:00 2", 1795257163500000000n, "2"],
  ["2026-11-21T10:32:43Z \n", 1795257163000000000n, "\n"],
])("PRB-19 takes the engine's time off %j", (written, atNs, rest) => {
  const bytes = Buffer.from(written);
  const time = takeEngineTime(bytes);
  expect(time?.atNs).toBe(atNs);
  expect(String(bytes.subarray(time?.length))).toBe(rest);
});

test("PRB-19 what has no time is left as it is", () => {
  expect(takeEngineTime(Buffer.from("no time"))).toBeNull();
  expect(takeEngineTime(Buffer.from("2026-13-41T10:32:43Z x"))).toBeNull();
});

test("PRB-20 a progress bar keeps its last state, colours stay, odd bytes are replaced", () => {
  expect(assemble("0%\r50%\r100%\n", "windows\r\n")).toEqual(["100%", "windows"]);
  expect(assemble("10%\r", "20%\r", "30%\r", "\n")).toEqual(["30%"]);
  expect(assemble("10%\r", "20%")).toEqual(["20%"]);
  expect(assemble("\n", "\n")).toEqual(["", ""]);
  expect(assemble("\u001b[31mred\u001b[0m\n")).toEqual(["\u001b[31mred\u001b[0m"]);
  expect(assemble(Buffer.from([0x61, 0xff, 0x62, 0x0a]))).toEqual(["a\uFFFDb"]);
  const euro = Buffer.from("€\n");
  expect(assemble(euro.subarray(0, 1), euro.subarray(1, 2), euro.subarray(2))).toEqual(["€"]);
});

test("PRB-20 a long line is cut, in any number of parts and with no half character", () => {
  const [long = ""] = assemble(...Array.from({ length: 100 }, () => "x".repeat(1000)), "\n");
  expect(long).toHaveLength(LONGEST_LOG_LINE);
  expect(long.endsWith("x…")).toBe(true);
  const [emoji = ""] = assemble(`x${"😀".repeat(LONGEST_LOG_LINE)}\n`);
  expect(emoji).not.toMatch(/\p{Surrogate}/u);
  expect(emoji.length).toBeLessThanOrEqual(LONGEST_LOG_LINE);
  expect(assemble(`${"x".repeat(100_000)}\rshort\n`)).toEqual(["short"]);
});

test("PRB-20 the newline that comes after a part was handed on makes no empty line", () => {
  const lines: string[] = [];
  const assembler = new LineAssembler(({ stream, text }) => lines.push(`${stream} ${text}`));
  assembler.add("stdout", 1n, Buffer.from("part"));
  assembler.add("stderr", 2n, Buffer.from("whole\n"));
  assembler.flush(60_000);
  expect(lines).toEqual(["stderr whole"]);
  assembler.flush(0);
  assembler.add("stdout", 3n, Buffer.from("\n\n"));
  expect(lines).toEqual(["stderr whole", "stdout part", "stdout "]);
});

test("PRB-21 times grow strictly, whatever the engine's clock counts in", () => {
  const buffer = new LineBuffer();
  for (const atNs of [5n, 5n, 4n, 9n]) buffer.add("stdout", atNs, "x");
  buffer.say(3n, "said");
  const lines = buffer.take(10, 1000);
  expect(lines.map(({ atNs }) => atNs)).toEqual(["5", "6", "7", "9", "10"]);
  expect(lines.map((line) => logLine.parse(line))).toEqual(lines);
});

test("PRB-21 what an earlier run sent is left out, though the agent spoke in between", () => {
  const earlier = new LineBuffer();
  for (const text of ["a", "b", "c"]) earlier.add("stdout", 5n, text);
  const sent = earlier.take(2, 1000);
  const buffer = new LineBuffer();
  buffer.say(100n, "agent started");
  buffer.leaveOutUntil(BigInt(sent.at(-1)?.atNs ?? 0));
  for (const text of ["a", "b", "c"]) buffer.add("stdout", 5n, text);
  expect(buffer.take(10, 1000).map(({ text }) => text)).toEqual(["agent started", "c"]);
});

test("PRB-22 a flood keeps the newest lines, and says how many are missing", () => {
  const buffer = new LineBuffer();
  for (let n = 1; n <= 10_000; n += 1) buffer.add("stdout", BigInt(n), `line ${n}`);
  expect(buffer.waiting).toBe(MOST_LOG_LINES);
  const lines = buffer.take(MOST_LOG_LINES, 1024 ** 2);
  expect(lines).toHaveLength(MOST_LOG_LINES);
  expect(lines[0]).toMatchObject({ stream: "system", atNs: "8001" });
  expect(lines[0]?.text).toMatch(/^8001 lines were dropped here/);
  expect(lines[1]).toEqual({ atNs: "8002", stream: "stdout", text: "line 8002" });
  expect(lines.at(-1)?.text).toBe("line 10000");
  for (let n = 1; n <= 1000; n += 1) buffer.add("stdout", BigInt(20_000 + n), "x".repeat(4000));
  expect(buffer.waiting).toBeLessThan(300);
});

test("PRB-22 what could not be sent comes first again, with a note where lines are missing after it", () => {
  const buffer = new LineBuffer();
  buffer.add("stdout", 1n, "one");
  buffer.add("stdout", 2n, "two");
  const taken = buffer.take(1, 1000);
  buffer.putBack(taken);
  expect(buffer.take(10, 1000).map(({ text }) => text)).toEqual(["one", "two"]);
  buffer.add("stdout", 3n, "three");
  const lost = buffer.take(1, 1000);
  for (let n = 0; n < MOST_LOG_LINES + 5; n += 1) buffer.add("stdout", BigInt(10 + n), "more");
  buffer.putBack(lost);
  const again = buffer.take(MOST_LOG_LINES, 1024 ** 2);
  const times = again.map(({ atNs }) => Number(atNs));
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  expect(again).toHaveLength(MOST_LOG_LINES);
  expect(again.at(-1)?.atNs).toBe(String(10 + MOST_LOG_LINES + 4));
});

test("PRB-22 a taking is bounded in lines and characters, and has one line at least", () => {
  const buffer = new LineBuffer();
  for (let n = 1; n <= 5; n += 1) buffer.add("stdout", BigInt(n), "x".repeat(100));
  expect(buffer.take(0, 1000)).toEqual([]);
  expect(buffer.take(2, 1000)).toHaveLength(2);
  expect(buffer.take(5, 150)).toHaveLength(1);
  expect(buffer.take(5, 10)).toHaveLength(1);
  expect(buffer.waiting).toBe(1);
});

test("PRB-23 reading again from a little earlier neither loses nor repeats a line", () => {
  const S = 1_000_000_000n;
  const log = [1n, 1n, 3n, 2n, 3n, 5n, 5n, 4n].map((second) => second * S);
  const cursor = new ReplayCursor(null);
  expect(cursor.rewind()).toBeNull();
  expect(log.map((at) => cursor.isNew(at))).toEqual(log.map(() => true));
  const since = BigInt(cursor.rewind() ?? 0) * S;
  const again = [...log, 5n * S, 6n * S].filter((at) => at >= since);
  expect(again.filter((at) => cursor.isNew(at))).toEqual([5n * S, 6n * S]);
  expect(new ReplayCursor(7n * S + 5n).rewind()).toBe(5);
});
