import { db } from "../db/client";
import { notFound } from "../kernel/errors";
import { type OfferView, offerViewInclude, toOfferView } from "./offer-view";

/**
 * An offer that is listed, however long it has been rented or silent: a link to it outlives its place in the search.
 * @throws DomainError not_found
 */
export async function getOffer(id: string): Promise<OfferView> {
  const row = await db().offer.findUnique({ where: { id, listed: true }, include: offerViewInclude });
  if (!row) throw notFound("offer");
  return toOfferView(row);
}
