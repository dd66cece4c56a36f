import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dockerRun, dockerRunWords, type Launch, openPorts } from "../../../lib/client/docker-run";

const plain: Launch = {
  image: "ghcr.io/a/b",
  imageTag: "1.0",
  command: "",
  useSsh: false,
  useJupyter: false,
  useJupyterLab: false,
  jupyterDirectory: "",
  variables: {},
  ports: {},
};

/** The words that a real shell hands to `docker`. */
function wordsOf(command: string): string[] {
  const script = `docker() { printf '%s\\0' docker "$@"; }\n${command}`;
  const { stdout, stderr, status } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout.split("\0").slice(0, -1);
}

function expectSameInShell(launch: Launch): void {
  expect(wordsOf(dockerRun(launch) ?? "")).toEqual(dockerRunWords(launch)?.flat());
}

const hostile = [
  "$(touch /tmp/owned)",
  "`id`",
  "a'b\"c",
  "'; rm -rf ~; '",
  "\\",
  "a\\\nb",
  "two\nlines\n",
  "* ? [a] {b,c} ~ !",
  "$HOME $PATH",
  "# no comment",
  "a && b | c > d < e & f ; g",
  "-e",
  "",
  " ",
  "\t",
  "ключ=значение",
];

describe("docker run", () => {
  it("WEB-30 is quoted so that a shell passes on every value as it is", () => {
    for (const value of hostile) {
      expectSameInShell({ ...plain, variables: { A: value, B: "c" } });
      expectSameInShell({ ...plain, useSsh: true, command: value });
      expectSameInShell({ ...plain, useJupyter: true, jupyterDirectory: `/${value}`, command: value });
    }
    const value = fc.string({ unit: "grapheme", maxLength: 40 }).filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), value, (values, command) => {
        const variables = Object.fromEntries(values.map((one, index) => [`V${index}`, one]));
        expectSameInShell({ ...plain, variables, useSsh: true, command });
      }),
      { numRuns: 60 },
    );
  });

  it("WEB-30 gives the command of a plain image as its arguments, word by word", () => {
    const launch = { ...plain, command: `serve --name 'a b' $HOME "c\\"d"` };
    expect(dockerRunWords(launch)?.at(-1)).toEqual([
      "ghcr.io/a/b:1.0",
      "serve",
      "--name",
      "a b",
      "$HOME",
      'c"d',
    ]);
    expectSameInShell(launch);
    expect(dockerRun({ ...plain, command: "echo 'open" })).toBeNull();
  });

  it("WEB-30 holds no secret", () => {
    const text = dockerRun({
      ...plain,
      variables: {
        HF_TOKEN: "s3cret",
        DATABASE_URL: "postgres://me:s3cret@db/x",
        aws_secret_access_key: "s3cret",
        MODE: "fast",
      },
    });
    expect(text).not.toContain("s3cret");
    expect(text).toContain("-e HF_TOKEN \\");
    expect(text).toContain("-e MODE=fast \\");
  });

  it("WEB-30 opens the ports that an instance opens, and pulls by digest where there is one", () => {
    const ports = { "22": "tcp", "53": "udp", "8080": "tcp" } as const;
    expect(openPorts({ ...plain, ports, useSsh: true, useJupyter: true })).toEqual({
      "53": "udp",
      "8080": "tcp",
      "8888": "tcp",
    });
    expect(openPorts({ ...plain, ports })).toEqual(ports);
    expect(dockerRun({ ...plain, ports, useSsh: true })).toContain("-p 53:53/udp");
    const digest = `a/b@sha256:${"0".repeat(64)}`;
    expect(dockerRunWords({ ...plain, image: digest })?.at(-1)).toEqual([digest]);
  });
});
