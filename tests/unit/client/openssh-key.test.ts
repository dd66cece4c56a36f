import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { makeKeyPair } from "@/lib/client/openssh-key";
import { readPublicKeys } from "@/lib/client/public-key-text";
import { parsePublicKey } from "@/lib/secrets/public-key";
import { describeKeys, makeKeys, runKeygen } from "../secrets/made-keys";

describe("a pair made in the browser", () => {
  test("WEB-50 has a private file from which ssh-keygen reads the same public line, and to which it gives a passphrase", async () => {
    // Comments of every length, so that every length of padding is met.
    for (const comment of ["", "a", "ab", "abc", "abcd", "abcde", "abcdef", "ключ berth 2026"]) {
      const pair = await makeKeyPair(comment);
      const read = await runKeygen(pair.privateFile, (file) => ["-y", "-f", file]);
      expect(read.trim()).toBe(pair.publicLine.trim());
      expect(parsePublicKey(pair.publicLine)).toMatchObject({ type: "ssh-ed25519", bits: 256, comment });
    }

    const plain = await makeKeyPair("berth");
    const said = await runKeygen(plain.privateFile, (file) => [
      "-p",
      "-P",
      "",
      "-N",
      "a passphrase",
      "-f",
      file,
    ]);
    expect(said).toContain("saved with the new passphrase");
  });
});

describe("a pasted text", () => {
  test("WEB-51 is read as ssh-keygen reads it: type, size, fingerprint, one key a line", async () => {
    const made = await makeKeys([
      ["-t", "ed25519"],
      ["-t", "rsa", "-b", "2048"],
      ["-t", "rsa", "-b", "3072"],
      ["-t", "ecdsa", "-b", "256"],
      ["-t", "ecdsa", "-b", "521"],
    ]);
    const text = `# my keys\r\n${made.map(({ line }) => line.trim()).join("\r\n\r\n")}\r\n`;
    const read = await readPublicKeys(text);
    if (read.kind !== "lines") throw new Error(read.kind);
    expect(read.problems).toEqual([]);
    expect(read.keys.map(({ bits, fingerprint }) => ({ bits, fingerprint }))).toEqual(
      made.map(({ bits, fingerprint }) => ({ bits, fingerprint })),
    );
    expect(await describeKeys(read.keys.map(({ line }) => line))).toHaveLength(5);
  });

  test("WEB-52 with a private key in any form is refused whole", async () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const p521 = generateKeyPairSync("ec", { namedCurve: "P-521" }).privateKey;
    const ed25519 = generateKeyPairSync("ed25519").privateKey;
    const pem = { format: "pem" } as const;
    const files = [
      (await makeKeyPair("berth")).privateFile,
      rsa.export({ ...pem, type: "pkcs1" }),
      ...[rsa, p256, p521, ed25519].map((key) => key.export({ ...pem, type: "pkcs8" })),
      ...[p256, p521].map((key) => key.export({ ...pem, type: "sec1" })),
    ].map(String);
    const [{ line } = { line: "" }] = await makeKeys([["-t", "ed25519"]]);
    for (const file of files) {
      const body = file.split("\n").slice(1, -2).join("\n");
      const utf16 = Buffer.from(`\uFEFF${file}`, "utf16le").toString("utf8");
      for (const text of [
        file,
        `${line}\n${file}`,
        body,
        file.replaceAll("\n", "\r\n"),
        `  ${file}`,
        utf16,
      ]) {
        expect(await readPublicKeys(text), text.slice(0, 120)).toEqual({ kind: "private" });
      }
    }
    const others = [
      "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: x\nPublic-Lines: 2\nAAAA\nPrivate-Lines: 1\nAAAA",
      "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nAAAA",
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA",
      '{"kty":"OKP","crv":"Ed25519","d": "AAAA","x":"AAAA"}',
    ];
    for (const text of others) expect(await readPublicKeys(text), text).toEqual({ kind: "private" });
  });

  test("WEB-53 that is no key says what it is instead", async () => {
    const [ed, rsa] = await makeKeys([
      ["-t", "ed25519"],
      ["-t", "rsa", "-b", "1024"],
    ]);
    const blob = ed?.line.split(" ")[1] ?? "";
    const cases: [string, string][] = [
      ["hello", "notAKey"],
      ["ssh-ed25519", "noData"],
      [`ssh-ed25519 ${blob.slice(0, -8)}`, "damaged"],
      [`ssh-rsa ${blob}`, "damaged"],
      ["ssh-dss AAAAB3NzaC1kc3MAAACB", "dsa"],
      [`ssh-ed25519-cert-v01@openssh.com ${blob}`, "certificate"],
      [`no-pty ${ed?.line}`, "options"],
      [blob, "noType"],
      [rsa?.line ?? "", "weak"],
      ["---- BEGIN SSH2 PUBLIC KEY ----\nAAAA", "ssh2"],
      ["-----BEGIN PUBLIC KEY-----\nAAAA", "pem"],
    ];
    for (const [text, problem] of cases) {
      expect(await readPublicKeys(text), text).toEqual({
        kind: "lines",
        keys: [],
        problems: [{ line: 1, problem }],
      });
    }
    expect(await readPublicKeys(" \n# nothing\n")).toEqual({ kind: "empty" });
  });
});
