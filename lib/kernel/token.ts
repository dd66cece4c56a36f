import { hash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { randomBase62, toBase62 } from "./base62";

/** What a token is good for: an API key, a host token, an agent's own secret. */
export type TokenKind = "ak" | "ht" | "ag";

const ID_LENGTH = 12;
/** 190 bits. */
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const TOKEN = new RegExp(
  `^([a-z]{2})-([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);
export const TOKEN_LENGTH = "ak-".length + ID_LENGTH + "_".length + SECRET_LENGTH + CHECKSUM_LENGTH;

/** What is stored of a token: `secretHash` is the 32 bytes of SHA-256 of the secret; `id` is the bare 12 characters. */
export type Credential = { id: string; secretHash: Buffer<ArrayBuffer> };

/**
 * A new token, `<kind>-<id>_<secret><checksum>`: 54 characters. It is shown once and never stored. A fast hash is
 * enough: 190 random bits cannot be guessed, so there is nothing for a slow one to slow down.
 */
export function makeToken(kind: TokenKind, id = randomBase62(ID_LENGTH)): Credential & { token: string } {
  const secret = randomBase62(SECRET_LENGTH);
  return {
    id,
    token: `${kind}-${id}_${secret}${checksumOf(kind, id, secret)}`,
    secretHash: hashSecret(secret),
  };
}

/** Null for what was never a token of that kind: a mistyped one is refused here, without asking the database. Never throws. */
export function parseToken(kind: TokenKind, text: string): Credential | null {
  if (text.length !== TOKEN_LENGTH) return null;
  const [, given, id, secret, checksum] = TOKEN.exec(text) ?? [];
  if (given !== kind || id === undefined || secret === undefined) return null;
  return checksum === checksumOf(kind, id, secret) ? { id, secretHash: hashSecret(secret) } : null;
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function secretHashesEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

function hashSecret(secret: string): Buffer<ArrayBuffer> {
  return Buffer.from(hash("sha256", secret, "buffer"));
}

function checksumOf(kind: TokenKind, id: string, secret: string): string {
  return toBase62(crc32(`${kind}-${id}_${secret}`), CHECKSUM_LENGTH);
}
