import { createHash } from "node:crypto";

/** What `ssh-keygen -lf` shows of a key: "SHA256:…". @param blob the key as it goes over the wire (RFC 4253, section 6.6) */
export function sshFingerprint(blob: Uint8Array): string {
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}
