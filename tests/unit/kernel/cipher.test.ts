import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decrypt,
  encrypt,
  encryptionKeyId,
  parseEncryptionKey,
  sealedKeyId,
} from "../../../lib/kernel/cipher";

const key = randomBytes(32);
const place = "template:tmpl_a:docker_password";

describe("cipher", () => {
  it("SEC-10 opens what it sealed, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, boundTo) => {
        expect(decrypt(key, encrypt(key, text, boundTo), boundTo)).toBe(text);
      }),
    );
  });

  it("SEC-10 seals the same text differently every time and never shows it", () => {
    const sealed = Array.from({ length: 200 }, () => encrypt(key, "hunter2-hunter2", place).toString("hex"));
    expect(new Set(sealed).size).toBe(200);
    const plain = Buffer.from("hunter2").toString("hex");
    expect(sealed.some((hex) => hex.includes(plain))).toBe(false);
  });

  it("SEC-11 does not open a value that was copied into another row or field", () => {
    const sealed = encrypt(key, "secret", place);
    for (const other of [
      "template:tmpl_b:docker_password",
      "template:tmpl_a:docker_passwor",
      "",
      `${place} `,
    ])
      expect(() => decrypt(key, sealed, other)).toThrow("belongs to another row");
  });

  it("SEC-11 does not open a value with any one bit changed, or any length but its own", () => {
    const sealed = encrypt(key, "secret", place);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decrypt(key, changed, place)).toThrow(/^The encrypted value /);
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => decrypt(key, sealed.subarray(0, length), place)).toThrow(/^The encrypted value /);
    expect(() => decrypt(key, Buffer.concat([sealed, Buffer.of(0)]), place)).toThrow("was changed");
  });

  it("SEC-12 says that another key made the value, and tells keys apart by id", () => {
    const other = randomBytes(32);
    const sealed = encrypt(other, "secret", place);
    expect(() => decrypt(key, sealed, place)).toThrow("another encryption key");
    expect(sealedKeyId(sealed)).toBe(encryptionKeyId(other));
    expect(sealedKeyId(Buffer.from("plain"))).toBeNull();
    expect(encryptionKeyId(other)).toMatch(/^[0-9a-f]{8}$/);
    expect(encryptionKeyId(other)).not.toBe(encryptionKeyId(key));
  });

  it("SEC-12 opens a Uint8Array that is a part of a larger buffer, as a database driver gives it", () => {
    const sealed = encrypt(key, "secret", place);
    const whole = new Uint8Array(sealed.length + 20);
    whole.set(sealed, 7);
    expect(decrypt(key, whole.subarray(7, 7 + sealed.length), place)).toBe("secret");
  });

  it("SEC-13 reads a key of 32 bytes in hexadecimal and base64, and refuses the rest without showing it", () => {
    for (const encoding of ["hex", "base64", "base64url"] as const)
      expect(parseEncryptionKey(` ${key.toString(encoding)}\n`)).toEqual(key);
    expect(parseEncryptionKey(key.toString("hex").toUpperCase())).toEqual(key);
    const refused = [
      "",
      "password",
      randomBytes(31).toString("hex"),
      randomBytes(33).toString("base64"),
      randomBytes(16).toString("base64"),
      `${key.toString("base64")}=`,
      `${key.toString("hex")}zz`,
      "0".repeat(64),
      "A".repeat(43),
      "a".repeat(250_000),
    ];
    for (const text of refused) {
      expect(() => parseEncryptionKey(text)).toThrow("openssl rand -base64 32");
      try {
        parseEncryptionKey(text);
      } catch (error) {
        if (text.length > 8) expect(String(error)).not.toContain(text);
      }
    }
  });

  it("SEC-13 refuses a text it could not give back, and a key of another length", () => {
    expect(() => encrypt(key, "a\ud800b", place)).toThrow("surrogate");
    expect(() => encrypt(randomBytes(16), "a", place)).toThrow("32 bytes");
    expect(() => decrypt(randomBytes(16), encrypt(key, "a", place), place)).toThrow("32 bytes");
  });
});
