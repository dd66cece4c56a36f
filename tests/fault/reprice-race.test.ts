import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { verifyLedger } from "@/lib/billing/verify-ledger";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { callApi, makeAccount, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { makeGpu, makeHost } from "../support/world";

useTestDatabase();

const HOSTS = 20;
const ROUNDS = 50;

interface Race {
  hostId: string;
  offerId: string;
  /** Micro-units. */
  old: bigint;
  next: bigint;
  /** The renter says what it was shown. */
  expects: boolean;
}

async function releaseAll(): Promise<void> {
  const fail = (error: unknown) => {
    throw error;
  };
  await db().$executeRaw`UPDATE instance SET due_at = now() WHERE holds_lease`;
  while ((await reconcileInstances(fail)) > 0);
  expect(await db().offer.count({ where: { leased: true } })).toBe(0);
}

it("FLT-23 a reprice that meets a rent 1,000 times: the locked price is the old or the new, never above the expected one", async () => {
  await makeGpu();
  const [owner, renter] = [await makeAccount({ balanceUsd: 0 }), await makeAccount({ balanceUsd: 100_000 })];
  const { templateId } = await makeTemplate(renter.userId);
  const hosts: { hostId: string; offerId: string }[] = [];
  while (hosts.length < HOSTS) hosts.push(await makeHost(owner.userId));
  const seen = { old: 0, new: 0, price_changed: 0, offer_unavailable: 0 };

  async function race({ hostId, offerId, old, next, expects }: Race, turn: number): Promise<string | null> {
    const reprice = () =>
      callApi(operations.updateHost, {
        key: owner.key,
        params: { host_id: hostId },
        body: { price: Number(next) / 1e6 },
      });
    const rentIt = () =>
      callApi(operations.createInstance, {
        key: renter.key,
        body: {
          offer_id: offerId,
          template_id: templateId,
          reserve_period: turn % 2 ? "hour" : "week",
          ...(expects ? { expected_price: Number(old) / 1e6 } : {}),
        },
      });
    const renting = rentIt();
    for (let turns = (turn * 7) % 60; turns > 0; turns -= 1) await setImmediate();
    const [repriced, rented] = await Promise.all([reprice(), renting]);
    expect(repriced.status).toBe(200);
    const instance = rented.status === 200 ? rented.body.data[0]?.id : null;
    if (typeof instance !== "string") {
      expect(["price_changed", "offer_unavailable"]).toContain(rented.error.code);
      if (rented.error.code === "price_changed") {
        expect(expects).toBe(true);
        expect(rented.error.price).toBe(Number(next) / 1e6);
        seen.price_changed += 1;
      } else seen.offer_unavailable += 1;
      return null;
    }
    const { priceMicro } = await db().instance.findUniqueOrThrow({ where: { id: instance } });
    if (expects) expect(priceMicro).toBe(old);
    expect([old, next]).toContain(priceMicro);
    seen[priceMicro === old ? "old" : "new"] += 1;
    return instance;
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    const rented = await Promise.all(
      hosts.map(async ({ hostId, offerId }, index) => {
        const { priceMicro } = await db().offer.findUniqueOrThrow({ where: { id: offerId } });
        const old = priceMicro ?? 0n;
        const next = BigInt(100_000 + ((round * 7919 + index * 104_729) % 900_000));
        return race({ hostId, offerId, old, next, expects: index % 2 === 0 }, round + index);
      }),
    );
    await Promise.all(
      rented
        .filter((id) => id !== null)
        .map((id) => callApi(operations.deleteInstance, { key: renter.key, params: { instance_id: id } })),
    );
    await releaseAll();
  }
  expect(seen.old + seen.new + seen.price_changed + seen.offer_unavailable).toBe(HOSTS * ROUNDS);
  expect(Math.min(seen.old, seen.new, seen.price_changed), JSON.stringify(seen)).toBeGreaterThan(0);
  expect((await verifyLedger()).findings).toEqual([]);
}, 180_000);
