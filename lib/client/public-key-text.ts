/** One public key as `ssh-keygen -l` describes it. */
export interface PublicKeyLine {
  line: string;
  type: string;
  bits: number;
  comment: string;
  /** "SHA256:…"; null where the page is not from a secure origin and the browser computes none. */
  fingerprint: string | null;
}

export type LineProblem =
  | "notAKey"
  | "noData"
  | "damaged"
  | "dsa"
  | "certificate"
  | "options"
  | "ssh2"
  | "pem"
  | "noType"
  | "weak";

/** What a pasted or dropped text holds: a private key at once refuses all of it. */
export type PublicKeyText =
  | { kind: "empty" }
  | { kind: "private" }
  | { kind: "lines"; keys: PublicKeyLine[]; problems: { line: number; problem: LineProblem }[] };

/** The bits of the types whose keys all have one size; null: an RSA key says its own. */
const types: ReadonlyMap<string, number | null> = new Map([
  ["ssh-ed25519", 256],
  ["ssh-rsa", null],
  ["ecdsa-sha2-nistp256", 256],
  ["ecdsa-sha2-nistp384", 384],
  ["ecdsa-sha2-nistp521", 521],
  ["sk-ssh-ed25519@openssh.com", 256],
  ["sk-ecdsa-sha2-nistp256@openssh.com", 256],
]);
const SMALLEST_RSA_BITS = 2048;

const privateForms: readonly RegExp[] = [
  /PRIVATE KEY(?: BLOCK)? ?-{4}/i, // PEM of every kind, SSH.com
  /-{4} ?BEGIN [\w ]*PRIVATE KEY/i,
  /PuTTY-User-Key-File-\d/i,
  /^\s*Private-(?:Lines|MAC|Hash):/im,
  /"d"\s*:\s*"/, // JWK
  /b3BlbnNzaC1rZXktdjE/, // OpenSSH's own, without its first line
  // PKCS #1, PKCS #8 and SEC 1 without theirs: a sequence that begins with the integer 0 or 1.
  /^\s*(?:MII[\w+/]{3}IBA|MI[\w+/]{2}AgE[AB]|M[\w+/]{2}CAQ[A-H])/m,
];
/** What a text in UTF-16 leaves behind where it is read as UTF-8: PowerShell writes such files. */
const STRAY = /[\0\uFEFF\uFFFD]/g;

/** Reads the keys of a `.pub` or `authorized_keys` text, one a line; the server reads each once more, and strictly. */
export async function readPublicKeys(given: string): Promise<PublicKeyText> {
  const text = given.replaceAll(STRAY, "");
  if (holdsPrivateKey(text)) return { kind: "private" };
  if (text.trim() === "") return { kind: "empty" };
  const block = blockProblem(text.trim());
  if (block) return { kind: "lines", keys: [], problems: [{ line: 1, problem: block }] };
  const keys: PublicKeyLine[] = [];
  const problems: { line: number; problem: LineProblem }[] = [];
  for (const [index, raw] of text.split(/\r\n|[\r\n\u2028\u2029]/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const read = await readLine(line);
    if (typeof read === "string") problems.push({ line: index + 1, problem: read });
    else keys.push(read);
  }
  return keys.length + problems.length === 0 ? { kind: "empty" } : { kind: "lines", keys, problems };
}

/** Whether any part of it is a private key. */
export function holdsPrivateKey(text: string): boolean {
  const clean = text.replaceAll(STRAY, "");
  return privateForms.some((form) => form.test(clean));
}

/** A public key in a form of several lines, for which ssh-keygen has a converter. */
function blockProblem(text: string): LineProblem | null {
  if (text.startsWith("---- BEGIN SSH2 PUBLIC KEY")) return "ssh2";
  return text.startsWith("-----BEGIN ") ? "pem" : null;
}

async function readLine(line: string): Promise<PublicKeyLine | LineProblem> {
  const parsed = parseLine(line);
  if (typeof parsed === "string") return parsed;
  const { blob, ...key } = parsed;
  return { ...key, fingerprint: await fingerprintOf(blob) };
}

/** The type and size of a stored key, or null where this page knows no such key. */
export function describeKey(line: string): { type: string; bits: number } | null {
  const parsed = parseLine(line);
  return typeof parsed === "string" ? null : parsed;
}

function parseLine(line: string) {
  const [type = "", encoded, ...rest] = line.split(/[ \t]+/);
  const fixed = types.get(type);
  if (fixed === undefined) return typeProblem(type, line);
  if (!encoded) return "noData";
  const blob = fromBase64(encoded);
  const parts = blob && readStrings(blob);
  if (!blob || !parts || decode(parts[0]) !== type || parts.length < 2) return "damaged";
  const bits = fixed ?? countBits(parts[2]);
  if (fixed === null && bits < SMALLEST_RSA_BITS) return "weak";
  const comment = rest.join(" ");
  const whole = comment === "" ? `${type} ${encoded}` : `${type} ${encoded} ${comment}`;
  return { line: whole, type, bits, comment, blob };
}

function typeProblem(type: string, line: string): LineProblem {
  if (type === "ssh-dss") return "dsa";
  if (type.endsWith("-cert-v01@openssh.com")) return "certificate";
  if (type.startsWith("AAAA")) return "noType";
  return line.split(/[ \t]+/).some((word) => types.has(word)) ? "options" : "notAKey";
}

/** RFC 4251 §5 strings from first to last byte, or null where the lengths do not add up. */
function readStrings(blob: Uint8Array): Uint8Array[] | null {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < blob.length; ) {
    if (blob.length - at < 4) return null;
    const end = at + 4 + view.getUint32(at);
    if (end > blob.length) return null;
    parts.push(blob.subarray(at + 4, end));
    at = end;
  }
  return parts;
}

/** Of a positive integer in two's complement, which may begin with a zero byte. */
function countBits(magnitude: Uint8Array | undefined): number {
  const first = magnitude?.findIndex((byte) => byte !== 0) ?? -1;
  if (!magnitude || first < 0) return 0;
  return (magnitude.length - first) * 8 - Math.clz32(magnitude[first] ?? 0) + 24;
}

async function fingerprintOf(blob: Uint8Array<ArrayBuffer>): Promise<string | null> {
  if (!globalThis.isSecureContext && typeof window !== "undefined") return null;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", blob));
  return `SHA256:${btoa(String.fromCharCode(...hash)).replace(/=+$/, "")}`;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function decode(bytes: Uint8Array | undefined): string {
  return new TextDecoder("latin1").decode(bytes);
}
