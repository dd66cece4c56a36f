import { ECDH } from "node:crypto";

const SMALLEST_RSA_BITS = 2048;
const LARGEST_RSA_BITS = 16_384;
const LARGEST_EXPONENT_BITS = 64;
const LONGEST_APPLICATION = 255;

/** By the curve's name in SSH (RFC 5656): its name in OpenSSL, bits, and the bytes of an uncompressed point. */
const CURVES = new Map([
  ["nistp256", { name: "prime256v1", bits: 256, pointBytes: 65 }],
  ["nistp384", { name: "secp384r1", bits: 384, pointBytes: 97 }],
  ["nistp521", { name: "secp521r1", bits: 521, pointBytes: 133 }],
]);

type Read = (reader: WireReader) => number;

/** By type: reads what follows the type's name and gives the key's bits. The order is the one people are shown. */
const READERS = new Map<string, Read>([
  ["ssh-ed25519", readEd25519],
  ["ssh-rsa", readRsa],
  ["ecdsa-sha2-nistp256", (reader) => readEcdsa(reader, "nistp256")],
  ["ecdsa-sha2-nistp384", (reader) => readEcdsa(reader, "nistp384")],
  ["ecdsa-sha2-nistp521", (reader) => readEcdsa(reader, "nistp521")],
  ["sk-ssh-ed25519@openssh.com", (reader) => withApplication(reader, readEd25519)],
  [
    "sk-ecdsa-sha2-nistp256@openssh.com",
    (reader) => withApplication(reader, (inner) => readEcdsa(inner, "nistp256")),
  ],
]);

/** The key types that are taken, as an OpenSSH line begins. */
export const publicKeyTypes: readonly string[] = [...READERS.keys()];

class KeyBlobError extends Error {
  override name = "KeyBlobError";
}

const DAMAGED = "The key's data is damaged. Copy the whole line again from the .pub file.";

/**
 * Reads a key's binary form (RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4, OpenSSH PROTOCOL.u2f), strictly: the lengths
 * add up, nothing follows, integers are in their shortest form, a point lies on its curve. `declaredType` is one of
 * `publicKeyTypes`. `bits` is the size as `ssh-keygen -l` shows it.
 */
export function readKeyBlob(blob: Buffer, declaredType: string): { bits: number } | { problem: string } {
  try {
    const reader = new WireReader(blob);
    const read = READERS.get(declaredType);
    if (!read || reader.readString().toString("latin1") !== declaredType)
      return {
        problem: "The type at the start of the line is not the key's own type. Copy the whole line again.",
      };
    const bits = read(reader);
    reader.expectEnd();
    return { bits };
  } catch (error) {
    if (error instanceof KeyBlobError) return { problem: error.message };
    throw error;
  }
}

class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** RFC 4251 §5 string: a length in 4 bytes, then as many bytes. */
  readString(): Buffer {
    if (this.#bytes.length - this.#at < 4) throw new KeyBlobError(DAMAGED);
    const start = this.#at + 4;
    const end = start + this.#bytes.readUInt32BE(this.#at);
    if (end > this.#bytes.length) throw new KeyBlobError(DAMAGED);
    this.#at = end;
    return this.#bytes.subarray(start, end);
  }

  /** RFC 4251 §5 mpint that is positive: its magnitude, without the zero byte that keeps the sign. */
  readPositive(): Buffer {
    const bytes = this.readString();
    const [first, second] = bytes;
    if (first === undefined || first > 0x7f) throw new KeyBlobError(DAMAGED);
    if (first !== 0) return bytes;
    if (second === undefined || second < 0x80) throw new KeyBlobError(DAMAGED);
    return bytes.subarray(1);
  }

  expectEnd(): void {
    if (this.#at !== this.#bytes.length) throw new KeyBlobError(DAMAGED);
  }
}

function readEd25519(reader: WireReader): number {
  if (reader.readString().length !== 32) throw new KeyBlobError(DAMAGED);
  return 256;
}

function readRsa(reader: WireReader): number {
  const exponent = reader.readPositive();
  const modulus = reader.readPositive();
  const bits = countBits(modulus);
  if (bits < SMALLEST_RSA_BITS)
    throw new KeyBlobError(
      `This RSA key has ${bits} bits, which is too weak: at least ${SMALLEST_RSA_BITS} are needed. Make a new key with: ssh-keygen -t ed25519`,
    );
  if (bits > LARGEST_RSA_BITS)
    throw new KeyBlobError(
      `This RSA key has ${bits} bits, and OpenSSH takes at most ${LARGEST_RSA_BITS}. Make a new key with: ssh-keygen -t ed25519`,
    );
  const isSound = isOdd(modulus) && isOdd(exponent) && countBits(exponent) > 1;
  if (!isSound || countBits(exponent) > LARGEST_EXPONENT_BITS) throw new KeyBlobError(DAMAGED);
  return bits;
}

function readEcdsa(reader: WireReader, curveName: string): number {
  const curve = CURVES.get(curveName);
  if (!curve || reader.readString().toString("latin1") !== curveName)
    throw new KeyBlobError("The key's curve is not the one that its type names. Copy the whole line again.");
  const point = reader.readString();
  if (point.length !== curve.pointBytes || point[0] !== 4) throw new KeyBlobError(DAMAGED);
  try {
    ECDH.convertKey(point, curve.name, undefined, undefined, "uncompressed");
  } catch {
    throw new KeyBlobError(DAMAGED);
  }
  return curve.bits;
}

/** A hardware key's line also names the application it was made for, "ssh:" or "ssh:…". */
function withApplication(reader: WireReader, read: Read): number {
  const bits = read(reader);
  const application = reader.readString().toString("latin1");
  if (!/^[!-~]+$/.test(application) || application.length > LONGEST_APPLICATION)
    throw new KeyBlobError(DAMAGED);
  return bits;
}

function countBits(magnitude: Buffer): number {
  return magnitude.length * 8 - Math.clz32(magnitude[0] ?? 0) + 24;
}

function isOdd(magnitude: Buffer): boolean {
  return ((magnitude[magnitude.length - 1] ?? 0) & 1) === 1;
}
