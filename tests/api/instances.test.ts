import { describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { destroyAnyInstance } from "@/lib/instances/destroy-instance";
import { listAnyInstances } from "@/lib/instances/list-instances";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { callApi, makeAccount, makeOffer, makeTemplate, setBalance } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { makeSecret, rent } from "../support/world";

useTestDatabase();

interface Life {
  userId: string;
  key: string;
  instanceId: string;
  offerId: string;
}

async function reconcile(): Promise<void> {
  await db().$executeRaw`UPDATE instance SET due_at = now() WHERE due_at > now()`;
  await reconcileInstances((error) => {
    throw error;
  });
}

/** An instance of an account of its own; running unless told otherwise. */
async function makeLife(
  options: { balanceUsd?: number; template?: Parameters<typeof makeTemplate>[1]; pending?: boolean } = {},
): Promise<Life> {
  const { userId, key } = await makeAccount(options);
  const { templateId } = await makeTemplate(userId, options.template);
  const { offerId } = await makeOffer();
  const instanceId = await rent(key, { offer_id: offerId, template_id: templateId });
  if (!options.pending) await reconcile();
  return { userId, key, instanceId, offerId };
}

async function see({ key, instanceId }: Life) {
  const { body } = await callApi(operations.listInstances, { key });
  const seen = body.data.find(({ id }) => id === instanceId);
  if (!seen) throw new Error("the instance is not in the list");
  return seen;
}

const paramsOf = ({ instanceId }: Pick<Life, "instanceId">) => ({ instance_id: instanceId });

const control = (life: Life, action?: string) =>
  callApi(operations.controlInstance, {
    key: life.key,
    params: paramsOf(life),
    query: action === undefined ? {} : { action },
  });
const reboot = (life: Life) => callApi(operations.rebootInstance, { key: life.key, params: paramsOf(life) });
const destroy = (life: Life) => callApi(operations.deleteInstance, { key: life.key, params: paramsOf(life) });
const attach = (life: Life, body: object) =>
  callApi(operations.attachSecret, { key: life.key, params: paramsOf(life), body });
const detach = (life: Life, body: object, query: Record<string, string> = {}) =>
  callApi(operations.detachSecret, { key: life.key, params: paramsOf(life), body, query });

const OK = [200, { ok: true, data: null }];

/** Calls of every verb against somebody else's instance, a missing and a destroyed one. */
const verbs: [string, (life: Life) => Promise<{ status: number; error: object }>][] = [
  ["toggle", (life) => control(life)],
  ["start", (life) => control(life, "start")],
  ["pause", (life) => control(life, "pause")],
  ["reboot", reboot],
  ["destroy", destroy],
  ["attach", async (life) => attach(life, { secret_id: await makeSecret(life.key) })],
  ["detach", async (life) => detach(life, { secret_id: await makeSecret(life.key) })],
];

describe("an instance's life", () => {
  it("INST-10 comes to run and tells how to reach it, its load and its logs, and that it is simulated", async () => {
    const life = await makeLife({
      template: { useJupyter: true, useJupyterLab: true, ports: { "8080": "tcp" } },
    });
    const seen = await see(life);
    expect(seen).toMatchObject({
      status: "running",
      phase: "running",
      actions: ["pause", "reboot", "destroy", "attach_secret", "detach_secret"],
      address: "203.0.113.10",
      ssh_host: "203.0.113.10",
      ssh_username: "root",
      ui_available: true,
    });
    expect(seen.message).toContain("simulated");
    expect(seen.logs).toContain("[simulated] container started");
    expect(Object.keys(seen.ports)).toEqual(expect.arrayContaining(["22", "8888", "8080"]));
    expect(seen.ssh_port).toBe(Number(seen.ports["22"]));
    expect(seen.ui_url).toBe(`http://203.0.113.10:${seen.ports["8888"]}/lab`);
    expect(seen.initialized_at).not.toBeNull();
    expect(seen.gpu_util).toBeGreaterThan(0);
  });

  it("INST-11 a pause and a start, named or as a toggle; repeating a named one changes nothing", async () => {
    const life = await makeLife();
    expect(await statusAndBody(control(life, "pause"))).toEqual(OK);
    expect(await see(life)).toMatchObject({ status: "paused", phase: "pausing" });
    expect(await statusAndBody(control(life, "pause"))).toEqual(OK);
    await reconcile();
    expect(await see(life)).toMatchObject({ status: "paused", phase: "paused", gpu_util: 0, ui_url: null });
    expect(await db().simulatedContainer.count({ where: { ...paramsFor(life), paused: true } })).toBe(1);
    expect(await statusAndBody(control(life, "start"))).toEqual(OK);
    expect(await see(life)).toMatchObject({ status: "pending", phase: "resuming" });
    expect(await statusAndBody(control(life, "start"))).toEqual(OK);
    await reconcile();
    expect((await see(life)).status).toBe("running");
    expect(await statusAndBody(control(life, "start"))).toEqual(OK);
    expect(await statusAndBody(control(life))).toEqual(OK);
    expect((await see(life)).status).toBe("paused");
    expect(await statusAndBody(control(life))).toEqual(OK);
    expect((await see(life)).status).toBe("pending");
    const events = await db().event.findMany({
      where: { subjectId: life.instanceId },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ type }) => type)).toEqual([
      "instance.created",
      "instance.running",
      "instance.paused",
      "instance.started",
      "instance.resumed",
      "instance.paused",
      "instance.started",
    ]);
  });

  it("INST-12 while it moves nothing else moves it; what it cannot do in a status is refused", async () => {
    const life = await makeLife({ pending: true });
    for (const call of [control(life), control(life, "pause"), reboot(life)]) {
      expect(codeOf(await call)).toEqual([409, "action_in_progress"]);
    }
    await reconcile();
    await reboot(life);
    expect(codeOf(await control(life))).toEqual([409, "action_in_progress"]);
    expect(codeOf(await control(life, "start"))).toEqual([409, "action_in_progress"]);
    expect(codeOf(await reboot(life))).toEqual([409, "action_in_progress"]);
    await reconcile();
    await control(life, "pause");
    expect(codeOf(await reboot(life))).toEqual([409, "invalid_state"]);
  });

  it.each(verbs)(
    "INST-13 %s answers another's, a missing and a destroyed instance alike",
    async (_, call) => {
      const [mine, other] = [await makeLife(), await makeLife()];
      const answers = [
        await call({ ...mine, instanceId: other.instanceId }),
        await call({ ...mine, instanceId: "inst_missing" }),
      ];
      await destroy(mine);
      answers.push(await call(mine));
      for (const { status, error } of answers) {
        expect(status).toBe(404);
        expect({ ...error, request_id: "" }).toEqual({ ...answers[0]?.error, request_id: "" });
      }
      expect((await see(other)).status).toBe("running");
    },
  );

  it("INST-14 names the parameter of an action that it does not know", async () => {
    const life = await makeLife();
    const { status, error } = await control(life, "stop");
    expect(status).toBe(422);
    expect(error.detail).toMatchObject([{ loc: ["query", "action"] }]);
  });

  it("INST-15 of many verbs at once each sees what the one before it left, and one meter runs", async () => {
    const life = await makeLife();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? reboot(life) : control(life))),
    );
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    await reconcile();
    const open = await db().meterInterval.count({ where: { instanceId: life.instanceId, endedAt: null } });
    expect(open).toBe(1);
    const row = await db().instance.findUniqueOrThrow({ where: { id: life.instanceId } });
    const balance = await db().balance.findUniqueOrThrow({ where: { userId: life.userId } });
    expect(balance.burnMicro).toBe(row.burnMicro);
    expect(row.burnMicro).toBe(row.status === "paused" ? row.pauseMicro : row.uptimeMicro);
  });

  it("INST-16 a reboot boots it anew and keeps disk, lease and address", async () => {
    const life = await makeLife();
    const before = await see(life);
    expect(await statusAndBody(reboot(life))).toEqual(OK);
    expect(await see(life)).toMatchObject({ status: "rebooting", phase: "rebooting" });
    await reconcile();
    expect(await see(life)).toMatchObject({ status: "running", ports: before.ports });
    const box = await db().simulatedContainer.findUniqueOrThrow({ where: paramsFor(life) });
    expect(box.boot).toBe(1);
  });

  it("INST-17 a start needs an hour's money, and a refused one changes nothing", async () => {
    const life = await makeLife();
    await control(life, "pause");
    await setBalance(life.userId, 400_000n);
    expect(codeOf(await control(life, "start"))).toEqual([402, "insufficient_funds"]);
    expect((await see(life)).status).toBe("paused");
    expect((await db().balance.findUniqueOrThrow({ where: { userId: life.userId } })).burnMicro).toBe(
      126_389n,
    );
    expect(await db().meterInterval.count({ where: { instanceId: life.instanceId, endedAt: null } })).toBe(1);
  });

  it("INST-18 a delete leaves the list at once, is once, and frees the offer when the container is gone", async () => {
    const life = await makeLife();
    const answers = await Promise.all([destroy(life), destroy(life), destroy(life)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const { body } = await callApi(operations.listInstances, { key: life.key });
    expect(body).toMatchObject({ data: [], total_items: 0 });
    expect(await leaseOf(life)).toEqual({ holdsLease: true, leased: true });
    expect((await db().balance.findUniqueOrThrow({ where: { userId: life.userId } })).burnMicro).toBe(0n);
    await reconcile();
    expect(await leaseOf(life)).toEqual({ holdsLease: false, leased: false });
    expect(await db().simulatedContainer.count({ where: paramsFor(life) })).toBe(0);
    expect((await db().instance.findUniqueOrThrow({ where: { id: life.instanceId } })).dueAt).toBeNull();
  });

  it("INST-19 an operator destroys anyone's, and lists everyone's", async () => {
    const life = await makeLife();
    const ids = (await listAnyInstances({ start: 0, limit: 1000 })).items.map(({ id }) => id);
    expect(ids).toContain(life.instanceId);
    await destroyAnyInstance(life.instanceId);
    expect((await destroy(life)).status).toBe(404);
    await expect(destroyAnyInstance(life.instanceId)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the two kinds of error", () => {
  it("INST-20 one that never ran costs nothing, frees its offer at once and offers only to be destroyed", async () => {
    const life = await makeLife({ template: { image: "berth.invalid/fails-to-pull" } });
    const seen = await see(life);
    expect(seen).toMatchObject({ status: "error", phase: "failed", actions: ["destroy"], total_cost: 0 });
    expect(seen.message).toContain("could not be pulled");
    expect(await leaseOf(life)).toEqual({ holdsLease: false, leased: false });
    expect(await db().balance.findUniqueOrThrow({ where: { userId: life.userId } })).toMatchObject({
      availableMicro: 1_000_000_000n,
      burnMicro: 0n,
    });
    for (const call of [control(life), control(life, "start"), control(life, "pause"), reboot(life)]) {
      expect(codeOf(await call)).toEqual([409, "invalid_state"]);
    }
    expect(codeOf(await attach(life, { secret_id: await makeSecret(life.key) }))).toEqual([
      409,
      "invalid_state",
    ]);
    expect((await destroy(life)).status).toBe(200);
  });

  it("INST-21 destroying one that never ran does not free an offer that another rents by then", async () => {
    const life = await makeLife({ template: { image: "berth.invalid/fails-to-pull" } });
    const next = await makeAccount();
    const { templateId } = await makeTemplate(next.userId);
    await rent(next.key, { offer_id: life.offerId, template_id: templateId });
    await destroy(life);
    await reconcile();
    expect(await leaseOf(life)).toEqual({ holdsLease: false, leased: true });
  });

  it("INST-22 pending for longer than the setting is such an error, and a term paid ahead goes back whole", async () => {
    const { userId, key } = await makeAccount();
    const { templateId } = await makeTemplate(userId);
    const { offerId } = await makeOffer();
    const body = { offer_id: offerId, template_id: templateId, reserve_period: "week" as const };
    const instanceId = (await callApi(operations.createInstance, { key, body })).body.data[0]?.id ?? "";
    expect((await db().balance.findUniqueOrThrow({ where: { userId } })).availableMicro).toBe(920_200_000n);
    await db().$executeRaw`
      INSERT INTO simulated_container (instance_id, boot, booted_at, pull_ms) VALUES (${instanceId}, 0, now(), 3600000)`;
    await db().$executeRaw`
      UPDATE instance SET status_changed_at = now() - interval '31 minutes' WHERE id = ${instanceId}`;
    await reconcile();
    const life = { userId, key, instanceId, offerId };
    expect(await see(life)).toMatchObject({
      status: "error",
      is_prepaid: false,
      total_cost: 0,
      actions: ["destroy"],
    });
    expect((await db().balance.findUniqueOrThrow({ where: { userId } })).availableMicro).toBe(1_000_000_000n);
    expect(await leaseOf(life)).toEqual({ holdsLease: false, leased: false });
  });

  it("INST-23 one that ran keeps its machine at the price of a pause; a reboot brings it back", async () => {
    const life = await makeLife({ template: { onStartCommand: "python train.py; exit 7" } });
    expect((await see(life)).status).toBe("running");
    await db().$executeRaw`
      UPDATE simulated_container SET booted_at = booted_at - interval '1 minute' WHERE instance_id = ${life.instanceId}`;
    await reconcile();
    const seen = await see(life);
    expect(seen).toMatchObject({
      status: "error",
      actions: ["reboot", "destroy", "attach_secret", "detach_secret"],
    });
    expect(seen.message).toContain("exit code 7");
    expect(await leaseOf(life)).toEqual({ holdsLease: true, leased: true });
    const open = await db().meterInterval.findFirstOrThrow({
      where: { instanceId: life.instanceId, endedAt: null },
    });
    expect(open).toMatchObject({ kind: "paused", rateMicro: 126_389n });
    expect(codeOf(await control(life, "start"))).toEqual([409, "invalid_state"]);
    expect(await statusAndBody(reboot(life))).toEqual(OK);
    await reconcile();
    expect((await see(life)).status).toBe("running");
  });
});

describe("keys of an instance", () => {
  it("INST-30 a key is let in, once, and shut out, once, by body or by query", async () => {
    const life = await makeLife();
    const secretId = await makeSecret(life.key);
    const body = { secret_id: secretId };
    expect(await statusAndBody(attach(life, body))).toEqual(OK);
    expect(codeOf(await attach(life, body))).toEqual([409, "already_attached"]);
    expect((await see(life)).ssh_keys).toMatchObject([{ id: secretId, name: "laptop" }]);
    expect(await statusAndBody(detach(life, body))).toEqual(OK);
    expect((await detach(life, body)).status).toBe(404);
    expect((await see(life)).ssh_keys).toEqual([]);
    await attach(life, body);
    expect(await statusAndBody(detach(life, {}, body))).toEqual(OK);
    await attach(life, body);
    expect(await statusAndBody(detach(life, body, body))).toEqual(OK);
  });

  it("INST-31 another's key is a missing one; an absent or doubled id is named", async () => {
    const [life, other] = [await makeLife(), await makeAccount()];
    const foreign = await makeSecret(other.key);
    for (const call of [attach, detach]) {
      const [one, two] = [
        await call(life, { secret_id: foreign }),
        await call(life, { secret_id: "key_missing" }),
      ];
      expect(one.status).toBe(404);
      expect({ ...one.error, request_id: "" }).toEqual({ ...two.error, request_id: "" });
    }
    expect((await attach(life, {})).error.detail).toMatchObject([
      { loc: ["body", "secret_id"], type: "missing" },
    ]);
    expect((await detach(life, {})).error.detail).toMatchObject([
      { loc: ["body", "secret_id"], type: "missing" },
    ]);
    const two = await detach(life, { secret_id: foreign }, { secret_id: "key_other" });
    expect(two.error.detail).toMatchObject([{ loc: ["query", "secret_id"] }]);
  });

  it("INST-32 of many attaches of one key at once, one succeeds; a destroyed instance holds no key back", async () => {
    const life = await makeLife();
    const secretId = await makeSecret(life.key);
    const answers = await Promise.all(Array.from({ length: 8 }, () => attach(life, { secret_id: secretId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    const params = { secret_id: secretId };
    expect(codeOf(await callApi(operations.deleteSecret, { key: life.key, params }))).toEqual([
      409,
      "in_use",
    ]);
    await destroy(life);
    await reconcile();
    expect((await callApi(operations.deleteSecret, { key: life.key, params })).status).toBe(200);
  });
});

describe("the list", () => {
  it("INST-40 pages one's own, the newest first, in the currency asked for", async () => {
    const { userId, key } = await makeAccount();
    const { templateId } = await makeTemplate(userId);
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      ids.unshift(await rent(key, { offer_id: (await makeOffer()).offerId, template_id: templateId }));
    }
    const page = (start: number) =>
      callApi(operations.listInstances, { key, query: { start, limit: 2, currency: "RUB", locale: "ru" } });
    const [first, second] = [await page(0), await page(2)];
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids);
    expect([first.body.total_items, second.body.total_items]).toEqual([3, 3]);
    expect(first.body.data[0]).toMatchObject({ uptime_price: 40.11112, actual_offer: { real_price: 40 } });
  });
});

const paramsFor = ({ instanceId }: Life) => ({ instanceId });

async function statusAndBody(answer: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await answer;
  return [status, body];
}

const codeOf = ({ status, error }: { status: number; error: { code?: string } }) => [status, error.code];

async function leaseOf({ instanceId, offerId }: Life) {
  const { holdsLease } = await db().instance.findUniqueOrThrow({ where: { id: instanceId } });
  const { leased } = await db().offer.findUniqueOrThrow({ where: { id: offerId } });
  return { holdsLease, leased };
}
