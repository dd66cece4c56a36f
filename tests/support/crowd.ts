import { createPayout, getEarned } from "@/lib/billing/payouts";
import { settleUsage } from "@/lib/billing/settle-usage";
import type { SeededRandom } from "@/lib/catalogue/seeded-random";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { DomainError, ValidationError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { followBalances } from "@/lib/worker/follow-balances";
import { followTime } from "@/lib/worker/follow-time";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { callApi, setBalance } from "./api";
import type { Debt } from "./debts";

const STEPS = 60;

/**
 * Lets settlers, reconcilers, renters, payouts and operators work on the same instances at once, each its number of steps.
 * @returns what failed otherwise than by a refusal that the contract knows
 */
export async function crowd(debts: Debt[], random: SeededRandom): Promise<string[]> {
  const [first, ...rest] = debts;
  if (!first) throw new Error("nobody owes anything");
  const any = () => random.pick([first, ...rest]);
  const failures: string[] = [];
  const fail = (what: string) => (error: unknown) => {
    if (!(error instanceof DomainError || error instanceof ValidationError))
      failures.push(`${what}: ${error}`);
  };
  const actors: [string, number, () => Promise<unknown>][] = [
    ["settle", 2, settleUsage],
    ["reconcile", 2, () => reconcileInstances(fail("reconcile one"))],
    ["follow time", 1, followTime],
    ["follow balances", 1, followBalances],
    ["pay out", 2, () => payOut(any())],
    ["end a term", 1, () => endTermNow(any())],
    ["change a balance", 1, () => changeBalance(any(), random)],
    ["set a price", 1, () => setPrice(any())],
    ["use", 6, () => use(any(), random)],
  ];
  const work = actors.flatMap(([name, count, step]) =>
    Array.from({ length: count }, async () => {
      for (let done = 0; done < STEPS; done += 1) await step().catch(fail(name));
    }),
  );
  await Promise.all(work);
  return failures;
}

/** Half of what an owner is owed; another one may be faster and leave less. */
async function payOut({ ownerId }: Debt): Promise<void> {
  const { owedMicro } = await getEarned(ownerId);
  if (owedMicro < 2n) return;
  await createPayout({ payeeId: ownerId, amountMicro: owedMicro / 2n, reference: newId("req") });
}

async function endTermNow({ offer_id }: Debt): Promise<void> {
  await db().$executeRaw`
    UPDATE instance SET prepaid_until = clock_timestamp(), auto_renew = NOT auto_renew
    WHERE offer_id = ${offer_id} AND prepaid_until IS NOT NULL AND status <> 'destroyed' AND initialized_at IS NOT NULL`;
}

/** Now and then there is no money left, and then there is again. */
async function changeBalance({ userId }: Debt, random: SeededRandom): Promise<void> {
  await setBalance(userId, random.chance(0.2) ? 0n : 90_000_000_000_000n);
}

async function setPrice({ offer_id, ownerKey }: Debt): Promise<void> {
  const { hostId } = await db().offer.findUniqueOrThrow({ where: { id: offer_id } });
  if (!hostId) return;
  await callApi(operations.updateHost, { key: ownerKey, params: { host_id: hostId }, body: { price: 0.04 } });
}

/** One thing that a renter does. */
async function use(debt: Debt, random: SeededRandom): Promise<void> {
  const { key, userId, offer_id, template_id } = debt;
  const instance = await db().instance.findFirst({ where: { offerId: offer_id, userId, holdsLease: true } });
  const one = { key, params: { instance_id: instance?.id ?? "inst_none" } };
  const wish = random.pick(["pause", "start", "reboot", "destroy", "rent", "rent a term", "look"] as const);
  const answer = await {
    pause: () => callApi(operations.controlInstance, { ...one, query: { action: "pause" } }),
    start: () => callApi(operations.controlInstance, { ...one, query: { action: "start" } }),
    reboot: () => callApi(operations.rebootInstance, one),
    destroy: () => callApi(operations.deleteInstance, one),
    rent: () => callApi(operations.createInstance, { key, body: { offer_id, template_id } }),
    "rent a term": () =>
      callApi(operations.createInstance, {
        key,
        body: { offer_id, template_id, reserve_period: "day", auto_renew: true },
      }),
    look: () => callApi(operations.getBilling, { key }),
  }[wish]();
  if (answer.status >= 500) throw new Error(`${wish} answered ${answer.status} ${answer.error.code}`);
}
