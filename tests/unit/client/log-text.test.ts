import { describe, expect, it } from "vitest";
import { cutAt, findMatches, toPlain, toSpans } from "@/lib/client/log-text";

const ESC = "\u001b";

describe("the text of logs", () => {
  it("WEB-44 keeps colours beside the text, and no control character in it", () => {
    expect(toSpans(`${ESC}[1;31mfailed${ESC}[0m <b>x</b>`)).toMatchObject([
      { text: "failed", color: "red", bold: true },
      { text: " <b>x</b>", color: null, bold: false },
    ]);
    expect(toSpans(`${ESC}[38;5;196mx`)[0]?.color).toBe("#ff0000");
    expect(toSpans(`${ESC}[38;2;1;2;3mx`)[0]?.color).toBe("#010203");
    expect(toSpans(`${ESC}[7;32mx`)[0]).toMatchObject({ background: "green" });
    expect(toPlain(`${ESC}]0;title\u0007${ESC}[2Ka\u0000b\u0008\tc${ESC}[`)).not.toMatch(/(?!\t)\p{Cc}/u);
    expect(toPlain("10 %\r20 %\r30 %\r")).toBe("30 %");
    expect(toPlain("")).toBe("");
  });

  it("WEB-45 finds every match ignoring case, also across colours, and cuts the line there", () => {
    expect(findMatches(["Error error", "no", "xERRORx"], "error")).toEqual([
      { line: 0, from: 0 },
      { line: 0, from: 6 },
      { line: 2, from: 1 },
    ]);
    expect(findMatches(["a"], "")).toEqual([]);
    const spans = toSpans(`${ESC}[31mer${ESC}[0mror here`);
    const pieces = cutAt(spans, [0], 5);
    expect(pieces.map(({ text, at }) => [text, at])).toEqual([
      ["er", 0],
      ["ror", 0],
      [" here", null],
    ]);
    expect(pieces.map(({ text }) => text).join("")).toBe("error here");
  });
});
