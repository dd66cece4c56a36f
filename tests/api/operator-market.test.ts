import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { callApi, makeAccount, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { waitUntil } from "../support/wait-until";
import { makeWorld, type World } from "../support/world";

useTestDatabase();

let world: World;
let email: string;
let key: string;
beforeAll(async () => {
  world = await makeWorld();
  email = (await db().user.findUniqueOrThrow({ where: { id: world.userId } })).email;
  await makeWorld();
  key = (await makeAccount({ roles: ["operator"] })).key;
});

describe("hosts", () => {
  it("OPER-11 lists everybody's with owner and problem, found by a part or a status", async () => {
    for (const query of [{ search: world.hostId }, { search: email.slice(2) }]) {
      const { body } = await callApi(operations.listOperatorHosts, { key, query });
      expect(body).toMatchObject({
        total_items: 1,
        data: [
          {
            id: world.hostId,
            owner: { id: world.userId, email },
            gpu_name: "RTX 4090",
            gpu_amount: 1,
            status: "active",
            simulated: true,
            rented: false,
            problem: null,
          },
        ],
      });
    }
    const total = async (query: Record<string, string>) =>
      (await callApi(operations.listOperatorHosts, { key, query })).body.total_items;
    expect(await total({})).toBe(2);
    expect(await total({ status: "error" })).toBe(0);
    expect(await total({ search: "_" })).toBe(2); // of the ids, not of every text
    expect(await total({ search: "%" })).toBe(0);
  });

  it("OPER-11 says what a machine's agent refused", async () => {
    const { userId } = await makeAccount();
    await db().agent.create({
      data: {
        id: "agent_x",
        userId,
        secretHash: new Uint8Array(32),
        address: "203.0.113.7",
        port: 1,
        firstPort: 1,
        lastPort: 2,
        fingerprint: "SHA256:x",
        engine: "Podman",
        failures: [{ code: "no_gpu", detail: "There is no GPU." }],
      },
    });
    const host = { id: "host_refused", userId, runtime: "docker", agentId: "agent_x" };
    await db().host.create({ data: host });
    const { body } = await callApi(operations.listOperatorHosts, { key, query: { search: "host_refused" } });
    expect(body.data).toMatchObject([{ problem: "There is no GPU.", gpu_name: null, simulated: false }]);
  });

  it("OPER-12 verifies and bans, and takes both back", async () => {
    const params = { host_id: world.hostId };
    const seen = async () =>
      (await callApi(operations.listOperatorHosts, { key, query: { search: world.hostId } })).body.data[0];
    const judge = async (verdict: string) => {
      expect((await callApi(operations.judgeHost, { key, params, body: { verdict } })).status).toBe(200);
      return seen();
    };
    expect((await judge("verify"))?.verified_at).not.toBeNull();
    expect(await judge("ban")).toMatchObject({ status_reason: "banned" });
    expect(await judge("unban")).toMatchObject({ banned_at: null });
    expect(await judge("unverify")).toMatchObject({ verified_at: null });
    const refused = await callApi(operations.judgeHost, { key, params, body: { verdict: "praise" } });
    expect(refused.error.detail).toMatchObject([{ loc: ["body", "verdict"], type: "enum" }]);
  });
});

describe("instances", () => {
  it("OPER-13 lists everybody's with what they cost, found by a part or a status", async () => {
    await db().instance.update({ where: { id: world.instanceId }, data: { name: "Training 50%" } });
    for (const search of [world.instanceId.slice(6), "training 50%", email]) {
      const { body } = await callApi(operations.listOperatorInstances, { key, query: { search } });
      expect(body).toMatchObject({
        total_items: 1,
        data: [
          {
            id: world.instanceId,
            name: "Training 50%",
            status: "running",
            owner: { id: world.userId, email },
            host_id: null,
            gpu_name: "RTX 4090",
            image: "ubuntu:24.04",
          },
        ],
      });
    }
    const { body } = await callApi(operations.listOperatorInstances, { key, query: { status: "paused" } });
    expect(body.data).toEqual([]);
  });

  it("OPER-16 marks one and takes that off; its renter sees the mark and not the note", async () => {
    const params = { instance_id: world.instanceId };
    const marked = async (body: object) => {
      expect((await callApi(operations.flagInstance, { key, params, body })).status).toBe(200);
      const query = { search: world.instanceId };
      const { body: list } = await callApi(operations.listOperatorInstances, { key, query });
      const own = await callApi(operations.listInstances, { key: world.key });
      expect(JSON.stringify(own.body)).not.toContain("Hot");
      return { seen: list.data[0], own: own.body.data[0]?.red_flagged };
    };
    const first = await marked({ flagged: true, note: "Hot" });
    expect(first).toMatchObject({ seen: { flag_note: "Hot", flagged_at: expect.any(String) }, own: true });
    const again = await marked({ flagged: true });
    expect(again.seen).toEqual({ ...first.seen, flag_note: null });
    expect(await marked({ flagged: false, note: "Hot" })).toMatchObject({
      seen: { flag_note: null, flagged_at: null },
      own: false,
    });
  });

  it("OPER-14 destroys anybody's once, and its renter reads why", async () => {
    const call = { key, params: { instance_id: world.instanceId }, body: { reason: "It mines." } };
    const unsaid = await callApi(operations.destroyOperatorInstance, { ...call, body: {} });
    expect(unsaid.error.detail).toMatchObject([{ loc: ["body", "reason"], type: "missing" }]);
    expect((await callApi(operations.destroyOperatorInstance, call)).status).toBe(200);
    expect((await callApi(operations.destroyOperatorInstance, call)).status).toBe(404);
    const own = await callApi(operations.listInstances, { key: world.key });
    expect(own.body.data).toEqual([]);
    const told = await waitUntil("the event can be read", async () => {
      const query = { type: "instance.destroyed" };
      return (await callApi(operations.listEvents, { key: world.key, query })).body.data[0];
    });
    expect(told).toMatchObject({
      subject_id: world.instanceId,
      data: { reason: "operator", note: "It mines." },
    });
    const query = { status: "destroyed", search: world.instanceId };
    const { body } = await callApi(operations.listOperatorInstances, { key, query });
    expect(body.data).toMatchObject([{ id: world.instanceId, cost_per_hour: 0 }]);
  });
});

describe("templates", () => {
  it("OPER-15 lists those that could be published, publishes one to everyone and takes that back", async () => {
    const { templateId } = await makeTemplate(world.userId, { name: "To publish" });
    const stranger = await makeAccount();
    const params = { template_id: templateId };
    const publish = (published: boolean) =>
      callApi(operations.publishTemplate, { key, params, body: { published } });
    const list = async () => (await callApi(operations.listOperatorTemplates, { key })).body.data;
    expect((await list()).map(({ id }) => id)).not.toContain(world.templateId);
    expect(await list()).toMatchObject([
      { id: templateId, image: "ubuntu:24.04", owner: { id: world.userId, email }, published_at: null },
    ]);
    for (const [published, status] of [
      [true, 200],
      [false, 404],
    ] as const) {
      expect((await publish(published)).status).toBe(200);
      expect((await callApi(operations.getTemplate, { key: stranger.key, params })).status).toBe(status);
      expect((await list())[0]?.published_at === null).toBe(!published);
    }
    const found = await callApi(operations.listOperatorTemplates, { key, query: { search: "TO PUBLISH" } });
    expect(found.body.total_items).toBe(1);
  });
});
