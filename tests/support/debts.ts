import { expect } from "vitest";
import { settleUsage } from "@/lib/billing/settle-usage";
import { db, type Prisma } from "@/lib/db/client";
import { destroyAnyInstance } from "@/lib/instances/destroy-instance";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { makeAccount, makeOffer, makeTemplate } from "./api";
import { countSettled, expectSoundLedger } from "./audit-ledger";
import { waitUntil } from "./wait-until";
import { makeGpu, makeHost, rent } from "./world";

/** A running instance that owes for days, its renter, and the owner of one of the hosts. */
export interface Debt {
  instanceId: string;
  offer_id: string;
  template_id: string;
  userId: string;
  key: string;
  ownerId: string;
  ownerKey: string;
}

const live = { status: { not: "destroyed" } };

/** A micro-unit each microsecond, so that whatever is settled twice, too late or not at all shows. */
const RATE = 3_600_000_000n;
const RENTERS = 6;
const DAYS_OWED = 3;

/** Running instances, by the hour and by the month paid ahead, of several renters on several hosts, that owe for days. */
export async function makeDebts(): Promise<Debt[]> {
  await makeGpu();
  const owner = await makeAccount({ balanceUsd: 0 });
  const debts: Debt[] = [];
  for (let renter = 0; renter < RENTERS; renter += 1) {
    const { userId, key } = await makeAccount({ balanceUsd: 90_000_000 });
    const { templateId } = await makeTemplate(userId);
    const { offerId } = await makeHost(owner.userId);
    const data = { priceMicro: RATE, diskPriceMicro: BigInt(renter) * 333_333n };
    await db().offer.update({ where: { id: offerId }, data });
    const others = await Promise.all([1, 2, 3, 4].map(() => makeOffer(data)));
    for (const [index, offer] of [{ offerId }, ...others].entries()) {
      const term = index % 2 ? { reserve_period: "month" as const } : {};
      const body = { offer_id: offer.offerId, template_id: templateId };
      const instanceId = await rent(key, { ...body, ...term });
      debts.push({ ...body, instanceId, userId, key, ownerId: owner.userId, ownerKey: owner.key });
    }
  }
  await db().instance.updateMany({ where: live, data: { feeBasisPoints: 725 } });
  await reconcileUntil("all run", { status: { not: "running" } });
  await db().$executeRaw`
    UPDATE meter_interval SET started_at = started_at - make_interval(days => ${DAYS_OWED}::int),
      settled_until = settled_until - make_interval(days => ${DAYS_OWED}::int) WHERE NOT settled`;
  await db().$executeRaw`
    UPDATE instance SET prepaid_until = prepaid_until - make_interval(days => ${DAYS_OWED}::int) WHERE prepaid_until IS NOT NULL`;
  return debts;
}

/** Ends every instance, and holds that each interval has cost its rate by its whole time, and nobody holds a lease. */
export async function endAll(): Promise<void> {
  const rows = await db().instance.findMany({ where: live, select: { id: true } });
  await Promise.all(rows.map(({ id }) => destroyAnyInstance(id)));
  await settleUsage();
  await reconcileUntil("all leases are free", { holdsLease: true });
  const { open, unsettled } = await countSettled();
  expect({ open, unsettled }).toEqual({ open: 0, unsettled: 0 });
  const intervals = await db().$queryRaw<{ rate: bigint; microseconds: bigint; moved: bigint }[]>`
    SELECT m.rate_micro AS rate, (extract(epoch FROM m.ended_at - m.started_at) * 1000000)::bigint AS microseconds,
      (SELECT coalesce(-sum(renter_micro + escrow_micro), 0)::bigint FROM ledger_movement l WHERE l.interval_id = m.id) AS moved
    FROM meter_interval m`;
  for (const { rate, microseconds, moved } of intervals) {
    expect(moved).toBe((rate * microseconds) / 3_600_000_000n);
  }
  await expectSoundLedger("when all is settled");
}

/** Reconciles until no live or leased instance is left that is so. */
async function reconcileUntil(what: string, left: Prisma.InstanceWhereInput): Promise<void> {
  await waitUntil(what, async () => {
    await reconcileInstances((error) => {
      throw error;
    });
    return (await db().instance.count({ where: { OR: [live, { holdsLease: true }], AND: left } })) === 0;
  });
}
