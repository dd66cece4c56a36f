/** A pair in OpenSSH's own forms: the line for a `.pub` file, and the private key's file. */
export interface KeyPair {
  publicLine: string;
  /** Without a passphrase; `ssh-keygen -p` sets one. */
  privateFile: string;
}

const TYPE = "ssh-ed25519";
const MAGIC = "openssh-key-v1\0";
/** What a file without a passphrase is padded to (OpenSSH PROTOCOL.key). */
const BLOCK = 8;
const LINE = 70;

/**
 * Makes an Ed25519 pair where it is called; nothing leaves it. `comment` is one line.
 * @throws DOMException NotSupportedError where the browser knows no Ed25519
 */
export async function makeKeyPair(comment: string): Promise<KeyPair> {
  const made = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
  if (!("privateKey" in made)) throw new Error("no pair was made");
  const { d, x } = await crypto.subtle.exportKey("jwk", made.privateKey);
  if (!d || !x) throw new Error("the pair cannot be exported");
  return writePair(fromBase64Url(d), fromBase64Url(x), comment);
}

/** `seed` and `point` are the 32 bytes of each half (RFC 8032). */
function writePair(seed: Uint8Array, point: Uint8Array, comment: string): KeyPair {
  const publicBlob = join(toField(TYPE), toField(point));
  const check = crypto.getRandomValues(new Uint8Array(4));
  const secret = pad(join(check, check, publicBlob, toField(join(seed, point)), toField(comment)));
  const file = join(
    new TextEncoder().encode(MAGIC),
    toField("none"), // cipher
    toField("none"), // derivation of its key
    toField(""),
    toUint32(1), // keys
    toField(publicBlob),
    toField(secret),
  );
  const lines = toBase64(file).match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
  return {
    publicLine: `${TYPE} ${toBase64(publicBlob)} ${comment}`,
    privateFile: [
      "-----BEGIN OPENSSH PRIVATE KEY-----",
      ...lines,
      "-----END OPENSSH PRIVATE KEY-----",
      "",
    ].join("\n"),
  };
}

/** RFC 4251 §5 string. */
function toField(value: string | Uint8Array): Uint8Array {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return join(toUint32(bytes.length), bytes);
}

function toUint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** With 1, 2, 3 … */
function pad(bytes: Uint8Array): Uint8Array {
  const missing = (BLOCK - (bytes.length % BLOCK)) % BLOCK;
  return join(
    bytes,
    Uint8Array.from({ length: missing }, (_, i) => i + 1),
  );
}

function join(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
