import { parse } from "dotenv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPastedVariables, writeVariables } from "../../../lib/client/environment";
import { parseLaunchSettings } from "../../../lib/contract/launch-settings";

const toObject = (text: string) =>
  Object.fromEntries(readPastedVariables(text).map(({ name, value }) => [name, value]));

describe("environment rows", () => {
  it("WEB-31 reads a pasted .env exactly as the package dotenv does", () => {
    const file = [
      "# a comment",
      "A=1",
      "export B = two words # with a comment",
      'C="a\\nb # c"',
      "D='single $x'",
      "E=`back 'tick'`",
      'F="over',
      'two lines"',
      "G=",
      "H: yaml",
      "A=2",
      "no assignment",
      "I=a=b#c",
    ].join("\n");
    expect(toObject(file)).toEqual({ ...parse(file) });
    expect(toObject(file.replaceAll("\n", "\r\n"))).toEqual({ ...parse(file) });
    const piece = fc.constantFrom(..."AB=#'\"`\\ \n\t:.-$", "export ", "NAME=", "value", "\\n");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = `X${pieces.join("")}`;
        expect(toObject(text)).toEqual({ ...parse(text) });
      }),
    );
  });

  it("WEB-31 reads the flags of a docker run", () => {
    expect(toObject('-e A=1 --env "B=two words" -p 80')).toEqual({ A: "1", B: "two words" });
    expect(readPastedVariables("--rm")).toEqual([]);
  });

  it("WEB-31 writes rows so that a template reads the same back", () => {
    const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,5}$/);
    const value = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc
        .array(fc.constantFrom("'", '"', "\\", "\n", "\r", " ", "n", "#", "="))
        .map((parts) => parts.join("")),
    );
    const clean = value.filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(fc.dictionary(name, clean), (variables) => {
        const rows = Object.entries(variables).map(([key, text]) => ({ name: key, value: text }));
        expect(parseLaunchSettings(writeVariables(rows))).toEqual({ variables: { ...variables }, ports: {} });
      }),
    );
  });
});
