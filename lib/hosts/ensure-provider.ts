import type { Tx } from "../db/client";
import { DomainError } from "../kernel/errors";
import { newId } from "../kernel/ids";

/**
 * An owner's storefront, made once; the account becomes a host owner. Its name says nothing about the person.
 * @returns the provider's id
 * @throws DomainError not_found for an unknown account
 */
export async function ensureProvider(tx: Tx, userId: string): Promise<string> {
  const owners = await tx.$queryRaw<unknown[]>`
    UPDATE "user" SET roles = CASE WHEN 'host' = ANY(roles) THEN roles ELSE roles || 'host'::text END
    WHERE id = ${userId} RETURNING id`;
  if (owners.length === 0) throw new DomainError("not_found", "There is no such account. Create it first.");
  const found = await tx.provider.findUnique({ where: { ownerId: userId } });
  if (found) return found.id;
  const id = newId("prov");
  const tail = id.slice(-6);
  await tx.provider.create({
    data: {
      id,
      ownerId: userId,
      name: `Independent host ${tail}`,
      translitName: `independent-host-${id.slice(-12).toLowerCase()}`,
      isThirdParty: false,
    },
  });
  return id;
}
