import { db } from "../db/client";
import { DomainError } from "../kernel/errors";

/**
 * Who earns what is rented from a provider: its owner's account, or for a third party the provider itself.
 * @throws DomainError not_found
 */
export async function getPayeeOfProvider(translitName: string): Promise<string> {
  const provider = await db().provider.findUnique({ where: { translitName } });
  if (!provider) {
    throw new DomainError(
      "not_found",
      "There is no provider with this translit name. GET /v0/market/providers lists them.",
    );
  }
  return provider.ownerId ?? provider.id;
}
