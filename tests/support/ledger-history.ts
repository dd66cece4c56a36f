import fc from "fast-check";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { makeAccount } from "./api";
import { makeInstance } from "./make-instance";
import { makeHost } from "./world";

type Column = "renter" | "escrow" | "host" | "credit" | "payout";

/** What each kind of movement does, by an amount. */
const movementEffects = {
  credit: { renter: 1n, credit: -1n },
  debit: { renter: -1n, credit: 1n },
  usage: { renter: -1n, host: 1n },
  prepay: { renter: -1n, escrow: 1n },
  accrual: { escrow: -1n, host: 1n },
  refund: { renter: 1n, escrow: -1n },
  payout: { host: -1n, payout: 1n },
} satisfies Record<string, Partial<Record<Column, bigint>>>;

type Kind = keyof typeof movementEffects;
export const movementKinds = Object.keys(movementEffects) as Kind[];

/** What one of a person's accounts should show of a movement. */
export interface ExpectedEntry {
  movement: bigint;
  id: string;
  account: "balance" | "escrow" | "earnings";
  kind: Kind;
  micro: bigint;
  at: Date;
  instance_id: string | null;
  host_id: string | null;
}

const shape = fc.record({
  kind: fc.constantFrom(...movementKinds),
  amount: fc.bigInt(1n, 9_000_000n),
  payer: fc.nat({ max: 2 }),
  payee: fc.nat({ max: 1 }),
  hour: fc.nat({ max: 240 }),
});

type Shape = typeof shape extends fc.Arbitrary<infer S> ? S : never;

/** Instants of the history, some of them a movement's own. */
export const moments = [
  "2026-02-03",
  "2026-02-05",
  "2026-02-08T12:00:30Z",
  "2026-02-06T03:00:30.000+03:00",
  "2026-02-09",
];

/** 200 movements of two who rent, let out, and do both at once, in no order of time; and what the first of them should be shown. */
export async function makeLedgerHistory() {
  const me = await makeAccount({ balanceUsd: 0 });
  const other = await makeAccount({ balanceUsd: 0 });
  const hosts = [(await makeHost(me.userId)).hostId, (await makeHost(other.userId)).hostId];
  const payers = [me.userId, me.userId, other.userId];
  const instances: string[] = [];
  for (const userId of payers) instances.push(await makeInstance(userId));
  const entries: ExpectedEntry[] = [];
  for (const given of fc.sample(shape, { seed: 11, numRuns: 200 })) {
    const rents = given.kind !== "credit" && given.kind !== "debit" && given.kind !== "payout";
    const owners = {
      userId: given.kind === "payout" ? null : (payers[given.payer] ?? null),
      payeeId: rents || given.kind === "payout" ? ([me.userId, other.userId][given.payee] ?? null) : null,
      hostId: rents ? (hosts[given.payee] ?? null) : null,
      instanceId: rents ? (instances[given.payer] ?? null) : null,
    };
    entries.push(...(await move(given, owners, me.userId)));
  }
  const order = ["balance", "escrow", "earnings"];
  entries.sort(
    (a, b) => Number(b.movement - a.movement) || order.indexOf(a.account) - order.indexOf(b.account),
  );
  return { key: me.key, entries, hosts, instances };
}

type Owners = Record<"userId" | "payeeId" | "hostId" | "instanceId", string | null>;

async function move(
  { kind, amount, hour }: Shape,
  owners: Owners,
  shownTo: string,
): Promise<ExpectedEntry[]> {
  const effects: Partial<Record<Column, bigint>> = movementEffects[kind];
  const of = (column: Column) => (effects[column] ?? 0n) * amount;
  const at = new Date(Date.UTC(2026, 1, 1) + hour * 3_600_000 + 30_000);
  const reference = owners.instanceId ? null : `invoice "${amount}", späť`;
  const moved = await db().ledgerMovement.create({
    data: {
      ...{ cause: newId("req"), kind, ...owners, at, day: at, reference },
      ...{ renterMicro: of("renter"), escrowMicro: of("escrow"), hostMicro: of("host") },
      ...{ creditMicro: of("credit"), payoutMicro: of("payout") },
    },
  });
  const accounts = [
    { account: "balance", micro: of("renter"), holder: owners.userId },
    { account: "escrow", micro: of("escrow"), holder: owners.userId },
    { account: "earnings", micro: of("host"), holder: owners.payeeId },
  ] as const;
  return accounts
    .filter(({ micro, holder }) => micro !== 0n && holder === shownTo)
    .map(({ account, micro }) => ({
      ...{ movement: moved.id, id: `${moved.id}-${account}`, account, kind, micro, at },
      ...{ instance_id: owners.instanceId, host_id: owners.hostId },
    }));
}
