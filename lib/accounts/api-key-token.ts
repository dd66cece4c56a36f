import { createHash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { randomBase62, toBase62 } from "../kernel/base62";

const ID_LENGTH = 12;
/** 190 bits. */
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const TOKEN = new RegExp(
  `^ak-([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);
const TOKEN_LENGTH = "ak-".length + ID_LENGTH + "_".length + SECRET_LENGTH + CHECKSUM_LENGTH;

/** What is stored of a key: `secretHash` is the 32 bytes of SHA-256 of the secret; `id` is the bare 12 characters. */
export type ApiKeyCredential = { id: string; secretHash: Buffer<ArrayBuffer> };

/**
 * A new key, `ak-<id>_<secret><checksum>`: 54 characters. The token is shown once and never stored. A fast hash is
 * enough: 190 random bits cannot be guessed, so there is nothing for a slow one to slow down.
 */
export function makeApiKeyToken(): ApiKeyCredential & { token: string } {
  const id = randomBase62(ID_LENGTH);
  const secret = randomBase62(SECRET_LENGTH);
  return { id, token: `ak-${id}_${secret}${checksumOf(id, secret)}`, secretHash: hashSecret(secret) };
}

/** Null for what was never a key of ours: a mistyped one is refused here, without asking the database. Never throws. */
export function parseApiKeyToken(text: string): ApiKeyCredential | null {
  if (text.length !== TOKEN_LENGTH) return null;
  const [, id, secret, checksum] = TOKEN.exec(text) ?? [];
  if (id === undefined || secret === undefined || checksum !== checksumOf(id, secret)) return null;
  return { id, secretHash: hashSecret(secret) };
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function secretHashesEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

function hashSecret(secret: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash("sha256").update(secret).digest());
}

function checksumOf(id: string, secret: string): string {
  return toBase62(crc32(`ak-${id}_${secret}`), CHECKSUM_LENGTH);
}
