import { hoursOf } from "../billing/escrow";
import { inTransaction, Prisma, type Tx } from "../db/client";
import { env } from "../env";
import { catchUp } from "../instances/catch-up";
import { endTermEarly } from "../instances/destroy-instance";
import type { LockedInstance } from "../instances/instance-row";
import { moveInstance } from "../instances/move-instance";
import { templateOf } from "../instances/presenter";
import { findRuntime } from "../runtimes/find-runtime";
import type { ContainerSpec, Observation } from "../runtimes/runtime";
import { appendLogs, recordMetrics } from "../telemetry/record-telemetry";
import { type Claim, claimInstances } from "./claim-instances";

const TOO_LATE = "the machine did not start it in time";

/**
 * One round: claims instances that are due and brings what is there towards what is wanted. May be killed anywhere;
 * the next round of any worker goes on from what the runtime and the database say.
 * @param onError hears of an instance whose round failed; it comes again when its claim ends
 * @returns how many were claimed
 */
export async function reconcileInstances(
  onError: (error: unknown, instanceId: string) => void,
): Promise<number> {
  const claims = await claimInstances(env().PENDING_TIMEOUT_MINUTES);
  await Promise.all(claims.map((claim) => reconcile(claim).catch((error) => onError(error, claim.id))));
  return claims.length;
}

async function reconcile(claim: Claim): Promise<void> {
  const spec: ContainerSpec = {
    instanceId: claim.id,
    boot: claim.wantedBoot,
    template: templateOf(claim),
    storageGb: claim.storageGb,
  };
  if (claim.wanted === "destroyed") {
    const { againInMs } = await findRuntime(claim.runtime).destroy(claim.id);
    return underClaim(claim, (tx, row) =>
      againInMs === null ? releaseLease(tx, row) : finish(tx, claim, againInMs),
    );
  }
  if (claim.status === "error") return underClaim(claim, (tx) => finish(tx, claim, null));
  if (claim.wanted === "paused") {
    const { message, againInMs } = await findRuntime(claim.runtime).pause(spec);
    return underClaim(claim, async (tx) => {
      const phase = againInMs === null ? "paused" : "pausing";
      await tx.instance.update({ where: { id: claim.id }, data: { phase, message } });
      await finish(tx, claim, againInMs);
    });
  }
  const seen = await ensure(claim, spec).catch((error: Error) => error);
  if (seen instanceof Error && !claim.overdue) throw seen;
  return underClaim(claim, (tx, row, hasNews) =>
    seen instanceof Error ? fail(tx, row, TOO_LATE) : record(tx, row, { ...claim, hasNews }, seen),
  );
}

async function ensure(claim: Claim, spec: ContainerSpec): Promise<Observation> {
  return findRuntime(claim.runtime).ensure(spec);
}

/**
 * Runs `work` on the locked row if the claim still holds; an instance that was claimed anew is somebody else's.
 * @param work `hasNews`: somebody wanted it looked at again since it was claimed
 */
function underClaim(
  claim: Claim,
  work: (tx: Tx, row: LockedInstance, hasNews: boolean) => Promise<void>,
): Promise<void> {
  return inTransaction(async (tx) => {
    const [held] = await tx.$queryRaw<{ due: string | null }[]>`
      SELECT due_at::text AS due FROM instance WHERE id = ${claim.id} AND claim_token = ${claim.token} AND wanted = ${claim.wanted}
        AND wanted_boot = ${claim.wantedBoot} AND status = ${claim.status} FOR NO KEY UPDATE`;
    if (!held) return;
    await work(tx, await catchUp(tx, claim.id), held.due !== claim.due);
  });
}

/** The runtime says that nothing is left: the lease and the offer are free in one transaction. */
async function releaseLease(tx: Tx, row: LockedInstance): Promise<void> {
  if (row.holdsLease) {
    await tx.$executeRaw`UPDATE offer SET leased = false, updated_at = now() WHERE id = ${row.offerId}`;
  }
  await tx.$executeRaw`
    UPDATE instance SET holds_lease = false, due_at = NULL,
      phase = CASE WHEN status = 'destroyed' THEN 'stopped' ELSE phase END WHERE id = ${row.id}`;
}

/** Sets when to look again, unless a verb asked for it sooner meanwhile. */
async function finish(tx: Tx, claim: Claim, againInMs: number | null): Promise<void> {
  const due =
    againInMs === null
      ? Prisma.sql`NULL`
      : Prisma.sql`clock_timestamp() + make_interval(secs => ${againInMs / 1000}::float8)`;
  await tx.$executeRaw`
    UPDATE instance SET due_at = ${due} WHERE id = ${claim.id} AND due_at = ${claim.due}::timestamptz`;
}

async function record(
  tx: Tx,
  row: LockedInstance,
  claim: Claim & { hasNews: boolean },
  seen: Observation,
): Promise<void> {
  if (row.silentSince !== null) return finish(tx, claim, seen.againInMs); // what it does is not known until it is heard
  await writeObservation(tx, row, seen);
  if (seen.state === "failed" || seen.state === "exited") return fail(tx, row, seen.message);
  if (seen.state === "running") {
    if (row.status !== "running") {
      const event = row.initializedAt === null ? "instance.running" : "instance.resumed";
      await startTerm(tx, row);
      await moveInstance(tx, row, { status: "running", phase: "running", message: seen.message, event });
      if (!claim.hasNews) await again(tx, row, seen.againInMs);
      return;
    }
    return finish(tx, claim, seen.againInMs);
  }
  if (claim.overdue) return fail(tx, row, TOO_LATE);
  await tx.instance.update({
    where: { id: row.id },
    data: { phase: row.status === "rebooting" ? "rebooting" : seen.state, message: seen.message },
  });
  return finish(tx, claim, seen.againInMs);
}

async function writeObservation(tx: Tx, { id }: LockedInstance, seen: Observation): Promise<void> {
  if (seen.access) await tx.instance.update({ where: { id }, data: seen.access });
  if (seen.stats) await recordMetrics(tx, [{ instanceId: id, ...seen.stats }]);
  if (seen.logs.length > 0)
    await appendLogs(
      tx,
      [],
      seen.logs.map((line) => ({ instanceId: id, ...line })),
    );
}

/** A term paid ahead begins when the machine is first there. */
async function startTerm(tx: Tx, row: LockedInstance): Promise<void> {
  if (row.initializedAt !== null || row.prepaidUntil === null) return;
  await tx.$executeRaw`
    UPDATE instance SET prepaid_until = ${row.at}::timestamptz + make_interval(hours => ${hoursOf(row)}::int) WHERE id = ${row.id}`;
}

/** A move made it due at once; what was just seen need not be looked at again so soon. */
async function again(tx: Tx, row: LockedInstance, inMs: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE instance SET due_at = clock_timestamp() + make_interval(secs => ${inMs / 1000}::float8) WHERE id = ${row.id}`;
}

/** One that never ran costs nothing and frees its offer; one that ran keeps its machine, and its disk, until told. */
async function fail(tx: Tx, row: LockedInstance, message: string): Promise<void> {
  const neverRan = row.initializedAt === null;
  const gone = neverRan ? { wanted: "destroyed" as const } : {}; // so that no late worker brings it back
  const event = "instance.failed";
  const failed = await moveInstance(tx, row, { status: "error", phase: "failed", message, event, ...gone });
  if (!neverRan) return;
  await endTermEarly(tx, failed, "platform");
  await releaseLease(tx, row);
  await again(tx, row, 0); // what the runtime may hold of it is still to be removed
}
