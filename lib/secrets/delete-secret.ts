import { inTransaction } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { DomainError, notFound } from "../kernel/errors";

/**
 * Deletes one's own key. Attaching locks the key's row too (a foreign key does), so it is never lost under an instance.
 * @throws DomainError not_found, in_use
 */
export function deleteSecret(ctx: Ctx, secretId: string): Promise<void> {
  return inTransaction(async (tx) => {
    const found = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM secret WHERE id = ${secretId} AND user_id = ${ctx.userId} FOR UPDATE`;
    if (found.length === 0) throw notFound("key");
    await tx.$executeRaw`
      DELETE FROM instance_secret s USING instance i
      WHERE s.secret_id = ${secretId} AND i.id = s.instance_id AND i.status = 'destroyed'`;
    const held = await tx.instanceSecret.count({ where: { secretId } });
    if (held > 0) {
      throw new DomainError(
        "in_use",
        `${held} of your instances let this key in. Detach it from them first.`,
      );
    }
    await tx.secret.delete({ where: { id: secretId } });
  });
}
