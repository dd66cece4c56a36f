import ssh2, { type ParsedKey } from "ssh2";
import { sshFingerprint } from "../../lib/kernel/ssh-fingerprint";

/** A new ed25519 key in OpenSSH's format, and its fingerprint as `ssh-keygen -lf` prints it: "SHA256:…". */
export function makeHostKey(): { privateKey: string; fingerprint: string } {
  for (;;) {
    const { private: privateKey } = ssh2.utils.generateKeyPairSync("ed25519");
    // ssh2 1.17 drops a public key's leading zero, which one in 256 has, and cannot read the outcome itself.
    if (!(ssh2.utils.parseKey(privateKey) instanceof Error))
      return { privateKey, fingerprint: fingerprintOf(privateKey) };
  }
}

/**
 * The fingerprint of a private key's public half.
 * @throws Error where the text is no private key, or an encrypted one
 */
export function fingerprintOf(privateKey: string): string {
  const parsed = ssh2.utils.parseKey(privateKey);
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key instanceof Error) throw new Error(`not a private key: ${key.message}`);
  if (!key.isPrivateKey()) throw new Error("not a private key: it is a public one");
  return fingerprintOfKey(key);
}

export function fingerprintOfKey(key: ParsedKey): string {
  return sshFingerprint(key.getPublicSSH());
}
