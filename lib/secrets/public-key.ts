import { sshFingerprint } from "../kernel/ssh-fingerprint";
import { publicKeyTypes, readKeyBlob } from "./key-blob";

/**
 * An OpenSSH public key. `bits` and `fingerprint` ("SHA256:…") are what `ssh-keygen -lf` shows; `blob` is the key in
 * base64; `comment` "" where there is none; `normalized` is the line for an authorized_keys file, without a line end.
 */
export type PublicKey = {
  type: string;
  bits: number;
  blob: string;
  comment: string;
  fingerprint: string;
  normalized: string;
};

/** A sentence for people: why it is not taken and what to do. It never repeats the input, which may be a private key. */
export type PublicKeyProblem = { problem: string };

/** A 16,384-bit RSA key takes 2.8 kB. */
const LONGEST = 16_384;

/**
 * Reads one line of a `.pub` or `authorized_keys` file. Surrounding white space is left out. Private keys, DSA, RSA
 * under 2048 bits, certificates, options before the key and more than one line are problems.
 */
export function parsePublicKey(line: string): PublicKey | PublicKeyProblem {
  const text = line.trim();
  const problem = findFormatProblem(text);
  if (problem !== null) return { problem };

  const [type, afterType] = cutWord(text);
  if (!publicKeyTypes.includes(type)) return { problem: explainType(type, afterType) };
  const [encoded, comment] = cutWord(afterType);
  if (encoded === "")
    return { problem: "Only the key's type is here. Copy the whole line from the .pub file." };
  const blob = Buffer.from(encoded, "base64");
  if (blob.toString("base64") !== encoded)
    return { problem: "The key's data is not valid base64. Copy the whole line again from the .pub file." };

  const read = readKeyBlob(blob, type);
  if ("problem" in read) return read;
  return {
    type,
    bits: read.bits,
    blob: encoded,
    comment,
    fingerprint: sshFingerprint(blob),
    normalized: comment === "" ? `${type} ${encoded}` : `${type} ${encoded} ${comment}`,
  };
}

function findFormatProblem(text: string): string | null {
  if (text === "")
    return "A public key is needed: the one line of a .pub file, such as ~/.ssh/id_ed25519.pub.";
  if (isPrivateKey(text))
    return "This is a private key. Never give it to anyone. Paste the public key instead: the one line of the file whose name ends in .pub.";
  if (text.startsWith("---- BEGIN SSH2 PUBLIC KEY"))
    return "This is a public key in the SSH2 format that PuTTY saves. Convert it with: ssh-keygen -i -f key.pub — or copy the box at the top of PuTTYgen's window.";
  if (text.startsWith("-----BEGIN PUBLIC KEY"))
    return "This is a public key in PEM format. Convert it with: ssh-keygen -i -m PKCS8 -f key.pem";
  if (text.startsWith("-----BEGIN RSA PUBLIC KEY"))
    return "This is a public key in PEM format. Convert it with: ssh-keygen -i -m PEM -f key.pem";
  if (text.startsWith("----"))
    return "This is not an OpenSSH public key. Paste the one line of a .pub file, such as ~/.ssh/id_ed25519.pub.";
  if (text.length > LONGEST)
    return `A public key is one line of at most ${LONGEST} characters; this is longer.`;
  if (/[\r\n\u2028\u2029]/.test(text))
    return "There is more than one line. Paste one key, on one line, and store every other key on its own.";
  if (/[^\P{Cc}\t]|\p{Cs}/u.test(text))
    return "There are control characters in the key. Copy the line again from the .pub file.";
  return null;
}

/** PEM and SSH.com headers, PuTTY's .ppk, and OpenSSH's own format without its header line. */
function isPrivateKey(text: string): boolean {
  return (
    text.includes("PRIVATE KEY-----") ||
    text.includes("PRIVATE KEY ----") ||
    text.startsWith("PuTTY-User-Key-File-") ||
    text.startsWith("b3BlbnNzaC1rZXktdjE")
  );
}

function explainType(type: string, rest: string): string {
  if (type === "ssh-dss")
    return "This is a DSA key, which OpenSSH no longer accepts. Make a new key with: ssh-keygen -t ed25519";
  if (type.endsWith("-cert-v01@openssh.com"))
    return "This is a certificate. Paste the public key it was made for: the .pub file whose name does not end in -cert.pub.";
  const words = rest.split(/[ \t]+/);
  if (words.some((word) => publicKeyTypes.includes(word) || word === "ssh-dss"))
    return "There are options before the key. Remove everything before the key's type, so that the line begins with ssh- or ecdsa-.";
  if (type.startsWith("AAAA"))
    return "The key's type is missing. Copy the whole line from the .pub file: it begins with ssh- or ecdsa-.";
  return `This is not a public key of a type that is taken. The line must begin with one of: ${publicKeyTypes.join(", ")}.`;
}

/** The first word and the rest without the white space between them. */
function cutWord(text: string): [string, string] {
  const end = text.search(/[ \t]/);
  return end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end).trim()];
}
