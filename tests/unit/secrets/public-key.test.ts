import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type PublicKey, parsePublicKey } from "../../../lib/secrets/public-key";
import { describeKeys, type MadeKey, makeKeys, runKeygen } from "./made-keys";

function wire(...parts: (Buffer | string)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

function lineOf(type: string, ...parts: (Buffer | string)[]): string {
  return `${type} ${wire(type, ...parts).toString("base64")} made by hand`;
}

function parse(line: string): PublicKey {
  const parsed = parsePublicKey(line);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

function problemOf(line: string): string {
  const parsed = parsePublicKey(line);
  return "problem" in parsed ? parsed.problem : "no problem";
}

function rsaOf(bits: number): Buffer {
  const modulus = randomBytes(Math.ceil(bits / 8));
  const top = (bits - 1) % 8;
  modulus[0] = ((modulus[0] ?? 0) & ((1 << top) - 1)) | (1 << top);
  modulus[modulus.length - 1] = (modulus[modulus.length - 1] ?? 0) | 1;
  return top === 7 ? Buffer.concat([Buffer.of(0), modulus]) : modulus;
}

const point = (() => {
  const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({
    format: "jwk",
  });
  return Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
})();
const exponent = Buffer.of(1, 0, 1);
const ed25519 = lineOf("ssh-ed25519", randomBytes(32));

describe("keys that the real ssh-keygen made", () => {
  let keys: MadeKey[] = [];

  beforeAll(async () => {
    const times = (count: number, ...options: string[]) => Array.from({ length: count }, () => options);
    keys = await makeKeys([
      ...times(56, "-t", "rsa", "-b", "2048"),
      ...times(3, "-t", "rsa", "-b", "3072"),
      ...times(1, "-t", "rsa", "-b", "4096"),
      ...times(140, "-t", "ed25519"),
      ...times(100, "-t", "ecdsa", "-b", "256"),
      ...times(100, "-t", "ecdsa", "-b", "384"),
      ...times(100, "-t", "ecdsa", "-b", "521"),
    ]);
  });

  it("SEC-01 gives 500 of them the fingerprint and bits of ssh-keygen -lf", () => {
    expect(keys).toHaveLength(500);
    for (const key of keys) {
      const parsed = parse(key.line);
      expect(parsed).toMatchObject({
        fingerprint: key.fingerprint,
        bits: key.bits,
        normalized: key.line.trim(),
      });
      expect(parsed.comment).toMatch(/^key \d+@host$/);
    }
    expect(new Set(keys.map((key) => parse(key.line).type)).size).toBe(5);
  });
});

describe("public key", () => {
  it("SEC-02 reads hardware keys, which have no hardware here, as ssh-keygen -lf does", async () => {
    const lines = [
      ...Array.from({ length: 10 }, () => lineOf("sk-ssh-ed25519@openssh.com", randomBytes(32), "ssh:")),
      lineOf("sk-ssh-ed25519@openssh.com", randomBytes(32), "ssh:berth"),
      lineOf("sk-ecdsa-sha2-nistp256@openssh.com", "nistp256", point, "ssh:"),
      lineOf("sk-ecdsa-sha2-nistp256@openssh.com", "nistp256", point, "ssh:berth"),
      lineOf("ssh-rsa", Buffer.of(3), rsaOf(2048)),
      lineOf("ssh-rsa", exponent, rsaOf(2049)),
      lineOf("ssh-rsa", exponent, rsaOf(2055)),
      lineOf("ssh-rsa", exponent, rsaOf(16_384)),
    ];
    for (const { line, bits, fingerprint } of await describeKeys(lines))
      expect(parse(line)).toMatchObject({ bits, fingerprint, normalized: line });
  });

  it("SEC-03 leaves out surrounding white space, and keeps a comment as it is", () => {
    const [type, data] = ed25519.split(" ");
    for (const line of [` ${ed25519}\n`, `${ed25519}\r\n\n`, `\t${ed25519} `, `\ufeff${ed25519}`])
      expect(parse(line)).toMatchObject({ normalized: ed25519, comment: "made by hand" });
    expect(parse(`${type}\t ${data}`)).toMatchObject({ normalized: `${type} ${data}`, comment: "" });
    expect(parse(`${type} ${data}  Ёлка 👩‍💻  x\ty `).comment).toBe("Ёлка 👩‍💻  x\ty");
    expect(parse(ed25519)).toEqual({
      type,
      bits: 256,
      blob: data,
      comment: "made by hand",
      normalized: ed25519,
      fingerprint: `SHA256:${createHash("sha256")
        .update(Buffer.from(data ?? "", "base64"))
        .digest("base64")
        .slice(0, 43)}`,
    });
  });

  it("SEC-04 refuses private keys in every format and never shows any of them", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const cipher = { cipher: "aes-256-cbc", passphrase: "x" };
    const pems = [
      privateKey.export({ format: "pem", type: "pkcs8" }),
      privateKey.export({ format: "pem", type: "pkcs8", ...cipher }),
      privateKey.export({ format: "pem", type: "pkcs1" }),
      ec.export({ format: "pem", type: "sec1" }),
    ].map(String);
    const openssh =
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n";
    const others = [
      openssh,
      openssh.replaceAll("\n", " "),
      openssh.split("\n")[1] ?? "",
      "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: c\nPublic-Lines: 2\nAAAA\nPrivate-Lines: 1\nAAAA",
      "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nAAAA\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
      `${ed25519}\n${openssh}`,
    ];
    for (const text of [...pems, ...others]) {
      expect(problemOf(text)).toMatch(/^This is a private key\. Never give it to anyone\./);
      for (const word of text.split(/\s+/).filter((part) => part.length > 20))
        expect(problemOf(text)).not.toContain(word);
    }
    expect(parse(`${ed25519} of my PRIVATE KEY`).comment).toContain("PRIVATE KEY");
  });

  it("SEC-05 says how to convert a key of another format, and the command it names works", async () => {
    const ssh2 = await runKeygen(ed25519, (file) => ["-e", "-f", file]);
    expect(problemOf(ssh2)).toContain("ssh-keygen -i -f key.pub");
    expect(parse(await runKeygen(ssh2, (file) => ["-i", "-f", file])).blob).toBe(parse(ed25519).blob);
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const spki = String(publicKey.export({ format: "pem", type: "spki" }));
    expect(problemOf(spki)).toContain("ssh-keygen -i -m PKCS8 -f key.pem");
    const pkcs1 = String(publicKey.export({ format: "pem", type: "pkcs1" }));
    expect(problemOf(pkcs1)).toContain("ssh-keygen -i -m PEM -f key.pem");
    const converted = await runKeygen(pkcs1, (file) => ["-i", "-m", "PEM", "-f", file]);
    expect(converted).toBe(await runKeygen(spki, (file) => ["-i", "-m", "PKCS8", "-f", file]));
    expect(parse(converted).bits).toBe(2048);
    expect(problemOf("-----BEGIN CERTIFICATE-----\nAAAA")).toContain("not an OpenSSH public key");
  });

  it("SEC-06 says why it refuses a key that is weak, huge, old, a certificate, or one of several", () => {
    const cases: [string, RegExp][] = [
      ["", /public key is needed/],
      [" \n ", /public key is needed/],
      [lineOf("ssh-rsa", exponent, rsaOf(1024)), /has 1024 bits, which is too weak/],
      [lineOf("ssh-rsa", exponent, rsaOf(2047)), /has 2047 bits, which is too weak/],
      [lineOf("ssh-rsa", exponent, rsaOf(16_385)), /has 16385 bits, and OpenSSH takes at most 16384/],
      [lineOf("ssh-rsa", exponent, rsaOf(131_072)), /at most 16384 characters/],
      [lineOf("ssh-dss", randomBytes(32)), /DSA key/],
      [lineOf("ssh-ed25519-cert-v01@openssh.com", randomBytes(32)), /certificate/],
      [`${ed25519}\n${ed25519}`, /more than one line/],
      [`# laptop\n${ed25519}`, /more than one line/],
      [ed25519.replace(" ", "\n"), /more than one line/],
      [ed25519.replace(" ", "\u2028"), /more than one line/],
      [`command="echo a b" ${ed25519}`, /options before the key/],
      [`no-pty,from="10.0.0.0/8" ${ed25519}`, /options before the key/],
      [`restrict ${lineOf("ssh-dss", "a")}`, /options before the key/],
      [ed25519.split(" ")[1] ?? "", /type is missing/],
      ["ssh-ed25519", /Only the key's type/],
      ["2048 65537 1234567 me@host", /not a public key of a type/],
      ["hello", /must begin with one of: ssh-ed25519, ssh-rsa/],
      [`SSH-ED25519 ${ed25519.split(" ")[1]}`, /not a public key of a type/],
      [`${ed25519}\u001b[2J`, /control characters/],
      [`${ed25519}\0`, /control characters/],
      [`${ed25519}\ud800`, /control characters/],
    ];
    for (const [line, reason] of cases) expect(problemOf(line), line.slice(0, 60)).toMatch(reason);
  });

  it("SEC-07 refuses a type or curve that differs from the key's own", () => {
    const data = ed25519.split(" ")[1];
    for (const type of ["ssh-rsa", "ecdsa-sha2-nistp256", "sk-ssh-ed25519@openssh.com"])
      expect(problemOf(`${type} ${data}`)).toContain("not the key's own type");
    expect(problemOf(lineOf("ecdsa-sha2-nistp384", "nistp256", point))).toContain("curve is not the one");
    expect(problemOf(lineOf("sk-ecdsa-sha2-nistp256@openssh.com", "nistp384", point, "ssh:"))).toContain(
      "curve",
    );
  });

  it("SEC-08 reads the binary form strictly", () => {
    const offCurve = Buffer.from(point);
    offCurve[64] = (offCurve[64] ?? 0) ^ 1;
    const compressed = Buffer.concat([Buffer.of(2 + ((point[64] ?? 0) & 1)), point.subarray(1, 33)]);
    const modulus = rsaOf(2048);
    const even = Buffer.from(modulus);
    even[256] = (even[256] ?? 0) & 0xfe;
    const damaged = [
      lineOf("ssh-ed25519", randomBytes(31)),
      lineOf("ssh-ed25519", randomBytes(33)),
      lineOf("ssh-ed25519", randomBytes(32), ""),
      lineOf("ssh-ed25519"),
      lineOf("ecdsa-sha2-nistp256", "nistp256", offCurve),
      lineOf("ecdsa-sha2-nistp256", "nistp256", compressed),
      lineOf("ecdsa-sha2-nistp256", "nistp256", Buffer.of(0)),
      lineOf("ecdsa-sha2-nistp256", "nistp256", Buffer.alloc(65)),
      lineOf("ecdsa-sha2-nistp256", "nistp256", point, point),
      lineOf("sk-ecdsa-sha2-nistp256@openssh.com", "nistp256", point),
      lineOf("sk-ssh-ed25519@openssh.com", randomBytes(32)),
      lineOf("sk-ssh-ed25519@openssh.com", randomBytes(32), ""),
      lineOf("sk-ssh-ed25519@openssh.com", randomBytes(32), "ssh:\n"),
      lineOf("ssh-rsa", exponent, modulus.subarray(1)),
      lineOf("ssh-rsa", exponent, Buffer.concat([Buffer.of(0), modulus])),
      lineOf("ssh-rsa", exponent, even),
      lineOf("ssh-rsa", Buffer.of(0, 1, 0, 1), modulus),
      lineOf("ssh-rsa", Buffer.of(1), modulus),
      lineOf("ssh-rsa", Buffer.of(2), modulus),
      lineOf("ssh-rsa", Buffer.of(), modulus),
      lineOf("ssh-rsa", Buffer.alloc(16, 0x7f), modulus),
      lineOf("ssh-rsa", exponent, modulus, ""),
      `ssh-ed25519 ${Buffer.concat([wire("ssh-ed25519"), Buffer.of(0xff, 0xff, 0xff, 0xff)]).toString("base64")}`,
      `ssh-ed25519 ${Buffer.concat([wire("ssh-ed25519", randomBytes(32)), Buffer.of(0)]).toString("base64")}`,
    ];
    for (const line of damaged) expect(problemOf(line), line.slice(0, 90)).toContain("data is damaged");
  });

  it("SEC-08 takes base64 only in its one canonical form", () => {
    const [type, data = ""] = lineOf("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 0xfb), "ssh:").split(" ");
    expect(problemOf(`${type} ${data}`)).toBe("no problem");
    expect(data.endsWith("=")).toBe(true);
    const last = data.replace(/=+$/, "").length - 1;
    const next = String.fromCharCode(data.charCodeAt(last) + 1);
    const other = `${data.slice(0, last)}${next}${data.slice(last + 1)}`;
    expect(Buffer.from(other, "base64").equals(Buffer.from(data, "base64"))).toBe(true);
    const wrong = [
      other,
      data.replace(/=+$/, ""),
      `${data}=`,
      `${data}AAAA`,
      data.replaceAll("+", "-"),
      `${data}!`,
      "====",
      "é",
    ];
    for (const encoded of wrong)
      expect(problemOf(`${type} ${encoded}`), encoded).toContain("not valid base64");
  });

  it("SEC-09 takes linear time on 256 kB of hostile text and never throws", () => {
    const pieces = [
      "a",
      " ",
      "\t",
      "\n",
      "=",
      "-",
      "A",
      "ssh-rsa ",
      "AAAA",
      "ssh-ed25519 AAAA ",
      "-----BEGIN ",
      "PRIVATE KEY-",
      "\u001b",
      "\ud800",
      '"',
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(256_000 / piece.length));
      for (const line of [text, `${text}x`, `ssh-ed25519 ${text}`, `ssh-rsa ${text}=`, `${ed25519} ${text}x`])
        expect(parsePublicKey(line)).toBeTypeOf("object");
    }
    const type = fc.constantFrom(
      "ssh-rsa",
      "ssh-ed25519",
      "ecdsa-sha2-nistp256",
      "sk-ssh-ed25519@openssh.com",
    );
    fc.assert(
      fc.property(
        type,
        fc.uint8Array({ maxLength: 80 }),
        fc.string({ unit: "binary" }),
        (named, bytes, text) => {
          const blob = Buffer.concat([wire(named), bytes]).toString("base64");
          for (const line of [`${named} ${blob} ${text}`, text, `${named} ${text}`])
            expect(parsePublicKey(line)).toBeTypeOf("object");
        },
      ),
      { numRuns: 2000 },
    );
  });
});
