import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeToken, parseToken, secretHashesEqual } from "@/lib/kernel/token";
import { randomBase62, toBase62 } from "../../../lib/kernel/base62";

describe("API key token", () => {
  it("TOK-01 makes keys that differ, have the decided shape and parse to what is stored", () => {
    const seen = new Set<string>();
    for (let count = 0; count < 2000; count += 1) {
      const made = makeToken("ak");
      expect(made.token).toMatch(/^ak-[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
      const parsed = parseToken("ak", made.token);
      expect(parsed?.id).toBe(made.id);
      expect(parsed && secretHashesEqual(parsed.secretHash, made.secretHash)).toBe(true);
      seen.add(made.token).add(made.id);
    }
    expect(seen.size).toBe(4000);
  });

  it("TOK-02 stores the SHA-256 of the secret, 32 bytes, and not the secret", () => {
    const { token, secretHash } = makeToken("ak");
    expect(secretHash).toHaveLength(32);
    expect(secretHash).toEqual(createHash("sha256").update(token.slice(16, 48)).digest());
  });

  it("TOK-03 refuses every key with one character changed, left out or added", () => {
    const { token } = makeToken("ak");
    for (let at = 0; at < token.length; at += 1) {
      const other = token.charAt(at) === "a" ? "b" : "a";
      expect(parseToken("ak", token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
      expect(parseToken("ak", token.slice(0, at) + token.slice(at + 1))).toBeNull();
      expect(parseToken("ak", `${token.slice(0, at)}0${token.slice(at)}`)).toBeNull();
    }
    for (const text of ["", " ", token.toLowerCase(), ` ${token}`, `${token}\n`, `Bearer ${token}`])
      expect(parseToken("ak", text)).toBeNull();
  });

  it("TOK-03 never throws and takes no time on hostile text", () => {
    const { token } = makeToken("ak");
    const hostile = [
      "a".repeat(250_000),
      "ak-".repeat(90_000),
      `${token}${"0".repeat(250_000)}`,
      "\ud800".repeat(54),
      "\0".repeat(54),
      "ak-٣٣٣٣٣٣٣٣٣٣٣٣_".padEnd(54, "٣"),
    ];
    for (let round = 0; round < 10; round += 1)
      for (const text of hostile) expect(parseToken("ak", text)).toBeNull();
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => parseToken("ak", text) === null),
    );
  });

  it("TOK-04 compares hashes of any length without throwing", () => {
    const { secretHash } = makeToken("ak");
    expect(secretHashesEqual(secretHash, Uint8Array.from(secretHash))).toBe(true);
    expect(secretHashesEqual(secretHash, secretHash.subarray(1))).toBe(false);
    expect(secretHashesEqual(secretHash, makeToken("ak").secretHash)).toBe(false);
  });

  it("TOK-05 draws every base62 character equally often", () => {
    const counts = new Map<string, number>();
    for (const character of randomBase62(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 10,000 expected of each, with a standard deviation of 99; modulo bias would give the first eight 12,100.
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(700);
    expect(randomBase62(0)).toBe("");
  });

  it("TOK-05 writes a checksum of any 32 bits in six characters", () => {
    expect(toBase62(0, 6)).toBe("000000");
    expect(toBase62(61, 6)).toBe("00000z");
    expect(toBase62(0xffff_ffff, 6)).toBe("4gfFC3");
  });
});
