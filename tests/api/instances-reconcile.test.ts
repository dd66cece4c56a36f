import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { templateOf } from "@/lib/instances/presenter";
import { simulatedRuntime } from "@/lib/runtimes/simulated";
import { rethrow } from "@/lib/worker/each-instance";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { startWorker } from "@/lib/worker/start-worker";
import { callApi, makeAccount, makeOffer, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { waitUntil } from "../support/wait-until";
import { rent } from "../support/world";

useTestDatabase();

function throwIt(error: unknown): void {
  throw error;
}

async function makeRented(count: number) {
  const { userId, key } = await makeAccount();
  const { templateId } = await makeTemplate(userId);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push(await rent(key, { offer_id: (await makeOffer()).offerId, template_id: templateId }));
  }
  return { userId, key, ids };
}

const destroy = (key: string, id: string) =>
  callApi(operations.deleteInstance, { key, params: { instance_id: id } });

async function specOf(id: string) {
  const row = await db().instance.findUniqueOrThrow({ where: { id } });
  return { instanceId: id, boot: row.wantedBoot, template: templateOf(row), storageGb: row.storageGb };
}

describe("the reconciler", () => {
  it("WORK-01 several workers share what is due: each instance is taken by one, and starts once", async () => {
    const { ids } = await makeRented(20);
    const claimed = await Promise.all(Array.from({ length: 4 }, () => reconcileInstances(throwIt)));
    expect(claimed.reduce((sum, count) => sum + count, 0)).toBe(20);
    const rows = await db().instance.findMany({ where: { id: { in: ids } } });
    expect(rows.map(({ status, claimToken }) => [status, claimToken])).toEqual(
      ids.map(() => ["running", 1n]),
    );
    const events = await db().event.count({ where: { subjectId: { in: ids }, type: "instance.running" } });
    expect(events).toBe(20);
    expect(await db().meterInterval.count({ where: { instanceId: { in: ids } } })).toBe(20);
  });

  it("WORK-02 what a killed worker had claimed is taken over when its claim ends, and not before", async () => {
    const { ids } = await makeRented(1);
    await db().$executeRaw`
      UPDATE instance SET claim_token = claim_token + 1, due_at = now() + interval '30 seconds' WHERE id = ${ids[0]}`;
    expect(await reconcileInstances(throwIt)).toBe(0);
    await db().$executeRaw`UPDATE instance SET due_at = now() WHERE id = ${ids[0]}`;
    expect(await reconcileInstances(throwIt)).toBe(1);
    expect(await db().instance.findFirstOrThrow({ where: { id: ids[0] ?? "" } })).toMatchObject({
      status: "running",
    });
  });

  it("WORK-03 a worker that comes late brings back nothing that was paused or destroyed meanwhile", async () => {
    const { key, ids } = await makeRented(1);
    const [id = ""] = ids;
    await reconcileInstances(throwIt);
    const late = await specOf(id);
    await callApi(operations.controlInstance, {
      key,
      params: { instance_id: id },
      query: { action: "pause" },
    });
    await reconcileInstances(throwIt);
    await simulatedRuntime.ensure(late);
    expect(await db().simulatedContainer.findUniqueOrThrow({ where: { instanceId: id } })).toMatchObject({
      paused: true,
    });
    await destroy(key, id);
    await reconcileInstances(throwIt);
    await simulatedRuntime.ensure(late);
    expect(await db().simulatedContainer.count({ where: { instanceId: id } })).toBe(0);
  });

  it("WORK-04 every call of the simulated runtime may be repeated", async () => {
    const { key, ids } = await makeRented(1);
    const [id = ""] = ids;
    const spec = await specOf(id);
    const seen = [await simulatedRuntime.ensure(spec), await simulatedRuntime.ensure(spec)];
    expect(seen.map(({ state }) => state)).toEqual(["running", "running"]);
    expect(seen[0]?.access).toEqual(seen[1]?.access);
    expect(seen[0]?.logs).toEqual(seen[1]?.logs);
    await destroy(key, id);
    await simulatedRuntime.destroy(id);
    await simulatedRuntime.destroy(id);
    expect(await db().simulatedContainer.count({ where: { instanceId: id } })).toBe(0);
  });

  it("WORK-05 one that no machine takes waits, and is an error when its time is over", async () => {
    const { ids } = await makeRented(1);
    const [id = ""] = ids;
    await db().instance.update({ where: { id }, data: { runtime: "docker" } });
    await reconcileInstances(rethrow);
    expect(await db().instance.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "pending" });
    await db().$executeRaw`
      UPDATE instance SET due_at = now(), status_changed_at = now() - interval '31 minutes' WHERE id = ${id}`;
    await reconcileInstances(rethrow);
    expect(await db().instance.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: "error",
      holdsLease: false,
    });
    await db().instance.update({ where: { id }, data: { dueAt: null } });
  });

  it("WORK-06 a worker goes on by itself, is woken by a verb, and stops when asked", async () => {
    const { key, ids } = await makeRented(3);
    const reports: unknown[] = [];
    // What an earlier test left to no runtime is reported too.
    const isOurs = (doing: string) => !doing.startsWith("reconcile ") || ids.some((id) => doing.endsWith(id));
    const worker = startWorker((error, doing) => {
      if (isOurs(doing)) reports.push(error);
    });
    const all = (status: string) =>
      waitUntil(
        status,
        async () => (await db().instance.count({ where: { id: { in: ids }, status } })) === 3,
      );
    await all("running");
    await Promise.all(ids.map((id) => destroy(key, id)));
    await waitUntil("the leases are free", async () => {
      return (await db().instance.count({ where: { id: { in: ids }, holdsLease: true } })) === 0;
    });
    await worker.stop();
    expect(reports).toEqual([]);
    const later = await makeRented(1);
    await sleep(100);
    expect(await db().instance.findFirstOrThrow({ where: { id: later.ids[0] ?? "" } })).toMatchObject({
      status: "pending",
    });
  });
});
