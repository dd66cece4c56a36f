import { inTransaction, type Tx } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { DomainError } from "../kernel/errors";
import { lockHost } from "./lock-host";
import { hostIs, restateHosts } from "./restate-hosts";

/**
 * Withdraws one's own host from the market for good. Past rentals keep what they froze of its offer.
 * @throws DomainError not_found, in_use
 */
export function deleteHost(ctx: Ctx, hostId: string): Promise<void> {
  return inTransaction(async (tx) => {
    await lockHost(tx, ctx.userId, hostId);
    await withdrawOffer(tx, hostId);
    await tx.$executeRaw`UPDATE host SET deleted_at = now(), updated_at = now() WHERE id = ${hostId}`;
    await restateHosts(tx, hostIs(hostId));
  });
}

/** Renting updates the same row where it is rentable, so of the two at once exactly one wins. */
async function withdrawOffer(tx: Tx, hostId: string): Promise<void> {
  const { count } = await tx.offer.updateMany({
    where: { hostId, leased: false },
    data: { listed: false, live: false },
  });
  if (count === 0 && (await tx.offer.count({ where: { hostId } })) > 0) {
    throw new DomainError(
      "in_use",
      "The host is rented. It can be deleted once the renter's instance is destroyed.",
    );
  }
}
