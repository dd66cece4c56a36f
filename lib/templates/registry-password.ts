import { getEncryptionKey } from "../db/encryption-key";
import { decrypt, encrypt } from "../kernel/cipher";

/** Seals a registry password so that it opens only for its own row, such as `template:tmpl_…` or `instance:inst_…`. */
export function sealPassword(password: string, row: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encrypt(getEncryptionKey(), password, `${row}:docker_password`));
}

/** Opens one. Throws where it was sealed for another row or by another key. */
export function openPassword(sealed: Uint8Array, row: string): string {
  return decrypt(getEncryptionKey(), sealed, `${row}:docker_password`);
}
