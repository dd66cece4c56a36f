import { db, type Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { invalidField } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { parsePublicKey } from "./public-key";

export type SecretRow = Prisma.SecretGetPayload<object>;

/**
 * Stores one OpenSSH public key. The same key may be stored twice, under names of their own.
 * @throws ValidationError that says why a key is refused
 */
export async function createSecret(
  ctx: Ctx,
  wish: { value: string; name: string; description: string | null },
): Promise<SecretRow> {
  const key = parsePublicKey(wish.value);
  if ("problem" in key) throw invalidField(["body", "value"], key.problem);
  return db().secret.create({
    data: {
      id: newId("key"),
      userId: ctx.userId,
      name: wish.name,
      description: wish.description,
      value: key.normalized,
      fingerprint: key.fingerprint,
    },
  });
}
