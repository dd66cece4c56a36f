import { inTransaction } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { invalidField, notFound } from "../kernel/errors";
import { lockInstance } from "./lock-instance";

/**
 * Shuts a key out.
 * @param given the id in the body and in the query: one of them, or both alike
 * @throws DomainError not_found, also for a key that is not attached · ValidationError
 */
export function detachSecret(
  ctx: Ctx,
  instanceId: string,
  given: { body: string | undefined; query: string | undefined },
): Promise<void> {
  const secretId = given.body ?? given.query;
  if (secretId === undefined) throw invalidField(["body", "secret_id"], "Field required", "missing");
  if (given.query !== undefined && given.query !== secretId) {
    throw invalidField(["query", "secret_id"], "Must be the same as in the body");
  }
  return inTransaction(async (tx) => {
    await lockInstance(tx, ctx.userId, instanceId);
    const { count } = await tx.instanceSecret.deleteMany({
      where: { instanceId, secretId, secret: { userId: ctx.userId } },
    });
    if (count === 0) throw notFound("key");
  });
}
