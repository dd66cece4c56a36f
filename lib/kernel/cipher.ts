import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = 1 + KEY_ID_BYTES;
const TAG_AT = NONCE_AT + NONCE_BYTES;
const TEXT_AT = TAG_AT + TAG_BYTES;

/**
 * Seals a text with AES-256-GCM: version (1 byte) | key id (4) | random nonce (12) | tag (16) | ciphertext.
 * `boundTo` names the one place where it is valid ("template:tmpl_x:docker_password"), so that a sealed value copied
 * into another row does not open there. Throws an Error for a key that is not 32 bytes or a text with a lone surrogate.
 */
export function encrypt(key: Uint8Array, plaintext: string, boundTo: string): Buffer<ArrayBuffer> {
  const text = Buffer.from(plaintext, "utf8");
  if (text.toString("utf8") !== plaintext)
    throw new Error("The text to encrypt is not valid Unicode: it holds half a surrogate pair.");
  const header = Buffer.concat([Buffer.of(VERSION), keyIdOf(key)]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundData(header, boundTo));
  const body = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), body]);
}

/**
 * Opens what `encrypt` sealed for the same `boundTo`. Throws an Error that says why not and holds no secret: damaged,
 * made with another key, changed, or from another row.
 */
export function decrypt(key: Uint8Array, sealed: Uint8Array, boundTo: string): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < TEXT_AT || bytes[0] !== VERSION)
    throw new Error("The encrypted value is damaged, or a newer version of this program made it.");
  const header = bytes.subarray(0, NONCE_AT);
  if (!header.subarray(1).equals(keyIdOf(key)))
    throw new Error(
      "The encrypted value was made with another encryption key. Start with that key, or enter the value again.",
    );
  const nonce = bytes.subarray(NONCE_AT, TAG_AT);
  const cipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundData(header, boundTo));
  cipher.setAuthTag(bytes.subarray(TAG_AT, TEXT_AT));
  const text = cipher.update(bytes.subarray(TEXT_AT));
  try {
    return Buffer.concat([text, cipher.final()]).toString("utf8");
  } catch {
    throw new Error("The encrypted value was changed after it was made, or belongs to another row.");
  }
}

/** Eight hexadecimal digits that tell one key from another, and nothing else about it. */
export function encryptionKeyId(key: Uint8Array): string {
  return keyIdOf(key).toString("hex");
}

/** The id of the key a value was sealed with, or null where it is not a sealed value: what a rotation looks for. */
export function sealedKeyId(sealed: Uint8Array): string | null {
  if (sealed.length < TEXT_AT || sealed[0] !== VERSION) return null;
  return Buffer.from(sealed.subarray(1, NONCE_AT)).toString("hex");
}

/**
 * Reads a key of 32 bytes: 64 hexadecimal digits, or base64 (either alphabet, with or without `=`). Surrounding white
 * space is left out. Throws an Error that says how to make one, and never shows what was given.
 */
export function parseEncryptionKey(text: string): Buffer<ArrayBuffer> {
  const written = text.trim();
  const isHex = /^[0-9A-Fa-f]{64}$/.test(written);
  const key = Buffer.from(written, isHex ? "hex" : "base64url");
  const isBase64 = /^[0-9A-Za-z+/_-]{43}=?$/.test(written);
  if ((!isHex && !isBase64) || key.length !== KEY_BYTES)
    throw new Error(
      "The encryption key must be 32 random bytes, in base64 or as 64 hexadecimal digits. Make one with: openssl rand -base64 32",
    );
  if (key.every((byte) => byte === key[0]))
    throw new Error(
      "The encryption key is one byte repeated. Make a random one with: openssl rand -base64 32",
    );
  return key;
}

function keyIdOf(key: Uint8Array): Buffer {
  if (key.length !== KEY_BYTES) throw new Error("The encryption key must be 32 bytes long.");
  return createHmac("sha256", key).update("berth encryption key id").digest().subarray(0, KEY_ID_BYTES);
}

/** The header's length is fixed, so no two pairs of header and place give the same bytes. */
function boundData(header: Buffer, boundTo: string): Buffer {
  return Buffer.concat([header, Buffer.from(boundTo, "utf8")]);
}
