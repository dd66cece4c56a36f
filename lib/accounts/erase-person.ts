import type { Tx } from "../db/client";

/** Of the addresses that deleted accounts have instead of a person's; no mail goes there (RFC 2606). */
export const DELETED_DOMAIN = "deleted.invalid";

/**
 * Leaves a row that the ledger can refer to and that says nothing about the person. Nobody can sign in to it, and what a
 * request that was let in a moment before still makes (a key, a session, a host token) is that of a suspended account.
 * The row is locked last: whoever moves the account's money holds the balance when it refers to it.
 */
export async function erasePerson(tx: Tx, userId: string): Promise<void> {
  await tx.template.deleteMany({ where: { userId } });
  await tx.instanceSecret.deleteMany({ where: { secret: { userId } } });
  await tx.secret.deleteMany({ where: { userId } });
  await tx.apiKey.deleteMany({ where: { userId } });
  await tx.event.deleteMany({ where: { userId } });
  await tx.idempotentRequest.deleteMany({ where: { userId } });
  await tx.$executeRaw`
    DELETE FROM verification v USING "user" u
    WHERE u.id = ${userId} AND (v.value = u.id OR position(u.email IN v.value) > 0)`;
  await tx.session.deleteMany({ where: { userId } });
  await tx.credential.deleteMany({ where: { userId } });
  await tx.provider.updateMany({
    where: { ownerId: userId },
    data: {
      name: "Deleted account",
      country: null,
      url: null,
      logo: null,
      description: null,
      metaTitle: null,
      metaDescription: null,
    },
  });
  await tx.$executeRaw`
    UPDATE "user" SET name = 'Deleted account', email = 'deleted-' || lower(id) || '@' || ${DELETED_DOMAIN}, email_verified = false,
      image = NULL, roles = '{}', suspended_at = coalesce(suspended_at, clock_timestamp()), updated_at = clock_timestamp()
    WHERE id = ${userId}`;
}
