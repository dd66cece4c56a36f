import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitFlagWords } from "../../../lib/contract/flag-words";
import { parseLaunchSettings } from "../../../lib/contract/launch-settings";

function readVariables(env: string): [string, string][] {
  const read = parseLaunchSettings(env);
  if ("problem" in read) throw new Error(read.problem);
  return Object.entries(read.variables);
}

function readPorts(env: string): Record<string, string> {
  const read = parseLaunchSettings(env);
  if ("problem" in read) throw new Error(read.problem);
  return read.ports;
}

describe("launch settings", () => {
  it("TPL-10 reads NAME=value lines, the value as it is to the end of the line", () => {
    const env =
      '# a comment\n\nA=1\r\n  B= two words # no comment \nexport C=a=b\n\texport \tD=\n_e9={"x": [1]}';
    expect(readVariables(env)).toEqual([
      ["A", "1"],
      ["B", " two words # no comment "],
      ["C", "a=b"],
      ["D", ""],
      ["_e9", '{"x": [1]}'],
    ]);
    expect(parseLaunchSettings("")).toEqual({ variables: {}, ports: {} });
    expect(readVariables("A=1\nA=2")).toEqual([["A", "2"]]);
  });

  it("TPL-10 removes quotes that enclose the whole value, and no others", () => {
    const cases: [string, string][] = [
      ['"a b"', "a b"],
      ["'a b' ", "a b"],
      ["''", ""],
      ['"a\\nb"', "a\nb"],
      ["'a\\nb'", "a\\nb"],
      ['"a\\"b\\\\"', 'a"b\\'],
      ['"C:\\dir"', "C:\\dir"],
      ['"a" "b"', '"a" "b"'],
      ["'a' 'b'", "'a' 'b'"],
      ['"a', '"a'],
      ['"', '"'],
      ['"a\\"', '"a\\"'],
      ["a'b'", "a'b'"],
    ];
    for (const [written, value] of cases)
      expect(readVariables(`A=${written}`), written).toEqual([["A", value]]);
  });

  it("TPL-11 reads the flags of docker run, alone, over several lines and between other lines", () => {
    const env = [
      "X=1",
      `-e A=b -e "B=a b" --env 'C=a "b"' --env=D=d -eE=e -p 8080 -p 80:8081/udp \\`,
      "  --publish=9000/tcp -p8443 # a comment",
      'Y="2"',
      '-e "F=two',
      'lines" -p 5000:6000',
    ].join("\n");
    expect(parseLaunchSettings(env)).toEqual({
      variables: { X: "1", A: "b", B: "a b", C: 'a "b"', D: "d", E: "e", Y: "2", F: "two\nlines" },
      ports: { "8080": "tcp", "8081": "udp", "9000": "tcp", "8443": "tcp", "6000": "tcp" },
    });
    expect(parseLaunchSettings(env.replaceAll("\n", "\r\n"))).toMatchObject({ ports: { "6000": "tcp" } });
    expect(readVariables("-e URL=http://x/?a=1&b=$HOME;c|d")).toEqual([["URL", "http://x/?a=1&b=$HOME;c|d"]]);
    expect(readPorts("-p 80 -p 80/tcp")).toEqual({ "80": "tcp" });
  });

  it("TPL-11 splits words as sh does", () => {
    const piece = fc.constantFrom(
      ..."ab=#-".split(""),
      " ",
      "\t",
      "\n",
      "'",
      '"',
      "\\",
      "\\\n",
      "\\\\",
      " #",
      "$",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        // A $ before a letter would be expanded by sh, and $' and $" differ between shells.
        const text = pieces.join("").replace(/\$(?=[^ ])|\$$/g, "");
        const shell = spawnSync("sh", ["-c", `w() { printf '%s\\0' "$@"; exit 0; }\nw start ${text}`]);
        const read = splitFlagWords(text, 0, 1);
        const expected = shell.status === 0 ? shell.stdout.toString().split("\0").slice(1, -1) : null;
        expect("words" in read ? read.words.map((word) => word.text) : null, JSON.stringify(text)).toEqual(
          expected,
        );
      }),
      { numRuns: 600 },
    );
  });

  it("TPL-12 names the line and the reason, and never shows a value", () => {
    const secret = "hunter2";
    const cases: [string, number, RegExp][] = [
      [`A=1\n${secret}`, 2, /no =/],
      [`\n\n9A=${secret}`, 3, /name has letters/],
      [`A-B=${secret}`, 1, /name has letters/],
      [`=${secret}`, 1, /name has letters/],
      [`Ä=${secret}`, 1, /name has letters/],
      [`A = ${secret}`, 1, /space before/],
      [`A=1\n-e ${secret}`, 2, /NAME=value/],
      [`-e A="x\ny" \\\n -v ${secret}`, 3, /only the flags/],
      [`-e A=1 ${secret}`, 1, /only the flags/],
      [`-e A=1\n-e "B=${secret}\n\n`, 2, /quote begins here/],
      [`-e A=1\n-e 'B=${secret}`, 2, /quote begins here/],
      [`A=1\n-p ${secret}`, 2, /a port from 1/],
      ["-e", 1, /NAME=value/],
      ["-p", 1, /a port from 1/],
      ["--gpus all", 1, /only the flags/],
      [`A=${secret}\0`, 1, /NUL/],
      [`A=1\n-e B=${secret}\0`, 2, /NUL/],
      [`A=${"é".repeat(16_385)}`, 1, /32768 bytes/],
      [`${"A".repeat(256)}=1`, 1, /255 characters/],
      ["-p 53 -p 53/udp", 1, /both as tcp and as udp/],
      ["A=1\nNVIDIA_VISIBLE_DEVICES=all", 2, /platform sets/],
      ["-e BERTH_X=1", 1, /platform sets/],
    ];
    for (const [env, line, reason] of cases) {
      const read = parseLaunchSettings(env);
      const problem = "problem" in read ? read.problem : "none";
      expect(problem, env.slice(0, 40)).toMatch(reason);
      expect(problem.startsWith(`Line ${line}: `), problem).toBe(true);
      expect(problem).not.toContain(secret);
    }
  });

  it("TPL-12 takes ports 1 to 65535, and no addresses or ranges", () => {
    for (const port of ["1", "65535", "1:65535", "65535:1/udp", "22/tcp"])
      expect("ports" in parseLaunchSettings(`-p ${port}`), port).toBe(true);
    for (const port of [
      "0",
      "65536",
      "08",
      "-1",
      "1.5",
      "1e3",
      "80/sctp",
      "80/tcp/udp",
      "1:2:3",
      "127.0.0.1:80:80",
      "1-9",
      ":80",
      "80:",
      "''",
    ])
      expect("problem" in parseLaunchSettings(`-p ${port}`), port).toBe(true);
  });

  it("TPL-12 holds the limits of 256 variables, 64 ports and 32 kB exactly", () => {
    const variables = (count: number) =>
      Array.from({ length: count }, (_, index) => `V${index}=1`).join("\n");
    expect(readVariables(variables(256))).toHaveLength(256);
    expect(parseLaunchSettings(`${variables(256)}\nV0=again`)).toHaveProperty("variables.V0", "again");
    expect(parseLaunchSettings(variables(257))).toEqual({
      problem: "Line 257: there are more than 256 variables.",
    });
    const ports = (count: number) => Array.from({ length: count }, (_, index) => `-p ${index + 1}`).join(" ");
    expect(Object.keys(readPorts(ports(64)))).toHaveLength(64);
    expect(parseLaunchSettings(ports(65))).toEqual({ problem: "Line 1: there are more than 64 ports." });
    expect(readVariables(`A=${"x".repeat(32_768)}`)[0]?.[1]).toHaveLength(32_768);
  });

  it("TPL-13 keeps names such as __proto__ as names, in JSON too", () => {
    const read = parseLaunchSettings("__proto__=1\nconstructor=2\n-e toString=3 -e hasOwnProperty=4");
    expect(JSON.parse(JSON.stringify(read))).toEqual(read);
    expect(JSON.stringify(read)).toBe(
      '{"variables":{"__proto__":"1","constructor":"2","toString":"3","hasOwnProperty":"4"},"ports":{}}',
    );
    expect("variables" in read && Object.getPrototypeOf(read.variables)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("1");
  });

  it("TPL-13 gives back any variables written as quoted flags", () => {
    const name = fc
      .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/)
      .filter((text) => !text.startsWith("BERTH_"));
    const value = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), (pairs) => {
        const env = pairs.map(([key, text]) => `-e '${key}=${text.replaceAll("'", `'\\''`)}'`).join(" ");
        expect(new Map(readVariables(env))).toEqual(new Map(pairs));
      }),
    );
  });

  it("TPL-14 takes linear time on 256 kB of hostile text and never throws", () => {
    const pieces = [
      "a",
      "-",
      "-e ",
      "-p 1 ",
      "-e A=1 ",
      "\n",
      "\r\n",
      '"',
      "'",
      "\\",
      "\\\n",
      "\\\r\n",
      " ",
      "=",
      "A=",
      "#",
      "export ",
      "-e '\n' ",
      "\ud800",
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(256_000 / piece.length));
      for (const env of [
        text,
        `-e ${text}`,
        `-e "${text}`,
        `-e '${text}`,
        `A="${text}"`,
        `A=${text}`,
        `${text}x`,
        `A${text}=`,
      ])
        expect(parseLaunchSettings(env)).toBeTypeOf("object");
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom("", "-e ", "A="), (text, before) => {
        expect(parseLaunchSettings(before + text)).toBeTypeOf("object");
      }),
    );
  });
});
