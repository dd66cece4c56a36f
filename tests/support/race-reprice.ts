import { setImmediate } from "node:timers/promises";
import { expect } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { decimalToMicro, microToNumber } from "@/lib/kernel/money";
import { callApi, makeAccount, makeTemplate } from "./api";
import { makeHost } from "./world";

/** USD an hour. */
const OLD = 1.25;
const NEW = 2.5;
const wishes = { old: OLD, new: NEW, none: undefined };

/**
 * Lets an owner set another price while a renter rents, on a host of their own.
 * @param wish the price that the renter expects
 * @param lead turns of the event loop by which the owner sets out first; negative: the renter
 * @returns how the rent ended, and at which price
 */
export async function raceReprice(
  people: Record<"owner" | "renter", Person>,
  wish: keyof typeof wishes,
  lead: number,
): Promise<string> {
  const { owner, renter } = people;
  const { hostId, offerId } = await makeHost(owner.userId);
  await db().offer.update({ where: { id: offerId }, data: { priceMicro: decimalToMicro(OLD) } });
  const expected = wishes[wish];
  const body = {
    offer_id: offerId,
    template_id: renter.templateId,
    ...(expected === undefined ? {} : { expected_price: expected }),
  };
  const [priced, rented] = await Promise.all([
    turns(-lead).then(() =>
      callApi(operations.updateHost, { key: owner.key, params: { host_id: hostId }, body: { price: NEW } }),
    ),
    turns(lead).then(() => callApi(operations.createInstance, { key: renter.key, body })),
  ]);
  expect(priced.status).toBe(200);
  const instance = await db().instance.findFirst({ where: { offerId } });
  expect(instance !== null, "an instance for a 200 and for nothing else").toBe(rented.status === 200);
  const { code, price } = rented.error;
  const at = instance ? microToNumber(instance.priceMicro) : price;
  return `${wish}: ${code ?? "rented"}${at === undefined ? "" : ` at the ${at === OLD ? "old" : at === NEW ? "new" : at}`}`;
}

export interface Person {
  userId: string;
  key: string;
  templateId: string;
}

/** Lets so many turns of the event loop pass; none for a negative number. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

/** An account with a key and a template. */
export async function makePerson(balanceUsd: number): Promise<Person> {
  const { userId, key } = await makeAccount({ balanceUsd });
  return { userId, key, ...(await makeTemplate(userId)) };
}
