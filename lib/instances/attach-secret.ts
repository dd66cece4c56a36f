import { inTransaction } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { DomainError } from "../kernel/errors";
import { getOwnSecrets } from "../secrets/get-own-secrets";
import { stateOf } from "./instance-row";
import { lockInstance } from "./lock-instance";
import { actionsOf } from "./status";

/**
 * Lets a key in.
 * @throws DomainError not_found, invalid_state, already_attached
 */
export function attachSecret(ctx: Ctx, instanceId: string, secretId: string): Promise<void> {
  return inTransaction(async (tx) => {
    const row = await lockInstance(tx, ctx.userId, instanceId);
    await getOwnSecrets(tx, ctx.userId, [secretId]);
    if (!actionsOf(stateOf(row)).includes("attach_secret")) {
      throw new DomainError("invalid_state", "This instance never ran. Destroy it and rent again.");
    }
    const { count } = await tx.instanceSecret.createMany({
      data: { instanceId, secretId },
      skipDuplicates: true,
    });
    if (count === 0) throw new DomainError("already_attached", "The instance lets this key in already.");
  });
}
