import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHostToken } from "@/lib/agents/create-host-token";
import { reachAgent } from "@/lib/agents/reach-agents";
import { revokeAgent } from "@/lib/agents/revoke-agent";
import type { JoinBody, WishesAnswer } from "@/lib/contract/agent-protocol";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { judgeHost } from "@/lib/hosts/judge-host";
import { agentModules } from "@/lib/http/agent-modules";
import { sealPassword } from "@/lib/templates/registry-password";
import { rethrow } from "@/lib/worker/each-instance";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import {
  callAgent,
  joinBody,
  joinMachine,
  machine,
  openGateway,
  report,
  seen,
} from "../support/agent-machine";
import { callApi, makeAccount, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { makeRentedMachine } from "../support/rented-machine";
import { makeGpu, makeSecret, rent } from "../support/world";

useTestDatabase();

const makeRented = () => makeRentedMachine({ ports: { "8080": "tcp" } });

async function wishes(secret: string, query = ""): Promise<WishesAnswer> {
  return (await callAgent<WishesAnswer>(`/agent/wishes${query}`, { secret })).data;
}

async function statusOf(key: string, instanceId: string) {
  return (await callApi(operations.listInstances, { key })).body.data.find(({ id }) => id === instanceId);
}

describe("agents", () => {
  it("AGT-01 a host token joins one machine, which becomes a host with a measured offer", async () => {
    await makeGpu();
    const { userId, key } = await makeAccount();
    const { token } = await createHostToken(userId);
    const body = joinBody({ ...(await openGateway()), token });
    const first = await callAgent<{
      secret: string;
      agentId: string;
      hosts: { hostId: string }[];
      problems: string[];
    }>("/agent/join", { body });
    expect(first).toMatchObject({
      status: 200,
      data: { problems: [], hosts: [{ slot: 0, statusReason: null }] },
    });
    const [listed] = (await callApi(operations.listHosts, { key })).body.data;
    expect(listed).toMatchObject({
      status: "active",
      status_reason: null,
      agent_id: first.data.agentId,
      agent_port: body.port,
      address: "127.0.0.1",
      fingerprint: body.fingerprint,
      offer: {
        gpu_translit_name: "rtx-4090",
        gpu_amount: 1,
        configuration: { ram: { amount: 64 } },
        rentable: true,
        real_price: 0.42,
        disk_real_price: 0.1,
      },
    });
    const other = joinBody({ ...(await openGateway()), token });
    expect(await callAgent("/agent/join", { body: other })).toMatchObject({
      status: 401,
      error: { code: "invalid_api_key" },
    });
    const again = await callAgent<{ secret: string; agentId: string }>("/agent/join", { body });
    expect(again).toMatchObject({ status: 200, data: { agentId: first.data.agentId } });
    expect((await callAgent("/agent/wishes", { secret: first.data.secret })).status).toBe(401);
    expect((await callAgent("/agent/wishes", { secret: again.data.secret })).status).toBe(200);
    expect(await db().host.count({ where: { userId } })).toBe(1);
  });

  it("AGT-02 a token that is old, unknown, or of another kind joins nothing", async () => {
    const { userId, key } = await makeAccount();
    const { token } = await createHostToken(userId);
    await db()
      .$executeRaw`UPDATE host_token SET created_at = now() - interval '2 hours', expires_at = now() - interval '1 second' WHERE user_id = ${userId}`;
    for (const bad of [token, null, "", key, token.replace("ht-", "ag-"), "ht-nonsense"]) {
      const body = joinBody({ fingerprint: "SHA256:x", port: 1, token: bad });
      expect((await callAgent("/agent/join", { body })).status, String(bad)).toBe(401);
    }
    expect(await db().agent.count({ where: { userId } })).toBe(0);
  });

  it("AGT-03 the same machine again is the same host; its price is then its owner's, not the command's", async () => {
    await makeGpu();
    const { userId, key } = await makeAccount();
    const { secret, hosts, body } = await joinMachine(userId, { price: null });
    expect(hosts[0]?.statusReason).toBe("price_not_set");
    const [host] = hosts;
    await callApi(operations.updateHost, {
      key,
      params: { host_id: host?.hostId ?? "" },
      body: { price: 1.5 },
    });
    const bigger = { ...body, token: null, price: 9, machine: { ...machine, ramGb: 128 } };
    const again = await callAgent<{ hosts: object[]; secret: null }>("/agent/join", { secret, body: bigger });
    expect(again.data).toMatchObject({ secret: null, hosts: [{ hostId: host?.hostId, statusReason: null }] });
    await db().$executeRaw`
      UPDATE host SET last_report_at = now() - interval '1 hour', status = 'inactive', status_reason = 'agent_unavailable' WHERE user_id = ${userId}`;
    const late = await callAgent("/agent/join", { secret, body: bigger });
    expect(late.data).toMatchObject({ hosts: [{ statusReason: null }] });
    const [listed] = (await callApi(operations.listHosts, { key })).body.data;
    expect(listed?.offer).toMatchObject({ real_price: 1.5, configuration: { ram: { amount: 128 } } });
  });

  it("AGT-04 a machine that cannot be reached, or whose place another one answers in, is not rentable and says which ports", async () => {
    await makeGpu();
    const { userId } = await makeAccount();
    const closed = await openGateway();
    const { hosts, problems, agentId, body } = await joinMachine(userId, { ...closed, port: 1 });
    expect(hosts[0]?.statusReason).toBe("not_reachable");
    expect(problems).toEqual([
      expect.stringContaining("Open TCP port 1 and TCP and UDP ports 20000 to 20100"),
    ]);
    const another = await openGateway();
    await db().agent.update({ where: { id: agentId }, data: { port: another.port } });
    await reachAgent(agentId);
    expect((await db().agent.findUniqueOrThrow({ where: { id: agentId } })).reachProblem).toContain(
      "Another machine answers",
    );
    await db().agent.update({ where: { id: agentId }, data: { port: closed.port } });
    await reachAgent(agentId);
    expect(await db().host.findFirstOrThrow({ where: { userId } })).toMatchObject({
      status: "active",
      statusReason: null,
    });
    expect(body.port).toBe(1);
  });

  it("AGT-05 what cannot be rented says why: no GPU, an unknown one, a failed self-test, containers that are not kept in", async () => {
    await makeGpu();
    const { userId } = await makeAccount();
    const gpu = { uuid: "x", vendor: "NVIDIA" as const, name: "NVIDIA Mystery 9000", vramGb: 13 };
    const cases: [Partial<JoinBody>, RegExp][] = [
      [{ machine: { ...machine, gpus: [] } }, /no GPU/],
      [{ machine: { ...machine, gpus: [gpu] } }, /does not know the GPU NVIDIA Mystery 9000/],
      [{ failures: [{ code: "disk_too_small", detail: "Free some disk." }] }, /^Free some disk\.$/],
    ];
    for (const [joining, words] of cases) {
      const { hosts, problems } = await joinMachine(userId, joining);
      expect(hosts[0]?.statusReason).toBe("self_test_failed");
      expect(problems).toEqual([expect.stringMatching(words)]);
    }
    expect((await joinMachine(userId, { egressGuarded: false })).problems).toEqual([]);
    process.env.PUBLIC_URL = "https://gpu.example.com";
    onTestFinished(() => {
      delete process.env.PUBLIC_URL;
    });
    const { problems } = await joinMachine(userId, { egressGuarded: false });
    expect(problems.join()).toMatch(/private network.*not a public address/);
  });

  it("AGT-06 a machine is split into equal offers; a rented one is not split another way", async () => {
    await makeGpu();
    const { userId } = await makeAccount();
    const four = {
      ...machine,
      gpus: [1, 2, 3, 4].flatMap((i) => machine.gpus.map((gpu) => ({ ...gpu, uuid: `GPU-${i}` }))),
    };
    const { secret, hosts, body, agentId } = await joinMachine(userId, { slots: 4, machine: four });
    expect(hosts.map(({ slot }) => slot)).toEqual([0, 1, 2, 3]);
    const offers = await db().offer.findMany({ where: { host: { agentId } } });
    expect(offers).toHaveLength(4);
    for (const offer of offers)
      expect(offer).toMatchObject({ gpuAmount: 1, ramGb: 16, diskGb: 125, vcpu: 4 });
    const join = (slots: number) =>
      callAgent("/agent/join", { secret, body: { ...body, token: null, slots } });
    const { key, userId: renterId } = await makeAccount();
    const { templateId } = await makeTemplate(renterId);
    const instanceId = await rent(key, { offer_id: offers[0]?.id ?? "", template_id: templateId });
    expect(await join(2)).toMatchObject({ status: 409, error: { code: "in_use" } });
    await callApi(operations.deleteInstance, { key, params: { instance_id: instanceId } });
    await reconcileInstances(rethrow);
    expect((await join(2)).status).toBe(200);
    expect(await db().offer.findMany({ where: { host: { agentId }, listed: true } })).toMatchObject([
      { gpuAmount: 2 },
      { gpuAmount: 2 },
    ]);
  });

  it("AGT-07 an order reaches the long poll at once, without any secret of the registry", async () => {
    const { joined, instanceId, renter } = await makeRented();
    const now = await wishes(joined.secret);
    expect(now.wishes).toMatchObject([
      {
        instanceId,
        slot: 0,
        wanted: "running",
        boot: 0,
        template: { useSsh: true, ports: { "8080": "tcp" } },
        keys: [],
      },
    ]);
    expect((await wishes(joined.secret, `?have=${now.revision}`)).revision).toBe(now.revision);
    const next = wishes(joined.secret, `?have=${now.revision}&wait=20`);
    const secretId = await makeSecret(renter.key);
    await callApi(operations.attachSecret, {
      key: renter.key,
      params: { instance_id: instanceId },
      body: { secret_id: secretId },
    });
    const { revision, wishes: changed } = await next;
    expect(changed[0]?.keys).toHaveLength(1);
    const gone = wishes(joined.secret, `?have=${revision}&wait=20`);
    await callApi(operations.deleteInstance, { key: renter.key, params: { instance_id: instanceId } });
    expect((await gone).wishes).toMatchObject([{ wanted: "destroyed" }]);
  });

  it("AGT-08 what an agent reports moves the instance: pulled, running with its ways in, exited", async () => {
    const { joined, instanceId, renter } = await makeRented();
    await report(joined.secret, seen(instanceId, "pulling", { message: "pulling image 40 %" }));
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({
      status: "pending",
      phase: "pulling",
      message: "pulling image 40 %",
      total_cost: 0,
    });
    const stats = { gpuUtil: 90, cpuUtil: 5.5, ramUtil: 10, memUtil: 20, inetIn: 7, inetOut: 8 };
    await report(joined.secret, seen(instanceId, "running", { stats }));
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({
      status: "running",
      address: "127.0.0.1",
      ssh_host: "127.0.0.1",
      ssh_port: 20_001,
      ports: { "22": "20001" },
      fingerprint: joined.body.fingerprint,
      gpu_util: 90,
      inet_out: 8,
    });
    await report(
      joined.secret,
      seen(instanceId, "exited", { message: "the container ended by itself with exit code 3" }),
    );
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({
      status: "error",
      message: "the container ended by itself with exit code 3",
      actions: expect.arrayContaining(["reboot", "destroy"]),
    });
    await callApi(operations.rebootInstance, { key: renter.key, params: { instance_id: instanceId } });
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({ status: "rebooting" });
    await report(joined.secret, seen(instanceId, "running", { boot: 1 }));
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({ status: "running" });
  });

  it("AGT-09 an image that cannot be pulled costs nothing and frees the offer, with the engine's reason", async () => {
    const { joined, instanceId, renter, offerId } = await makeRented();
    const message = "the image could not be pulled: manifest unknown";
    await report(joined.secret, seen(instanceId, "failed", { message, containerId: null }));
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({
      status: "error",
      message,
      total_cost: 0,
      actions: ["destroy"],
    });
    expect(await db().offer.findUniqueOrThrow({ where: { id: offerId } })).toMatchObject({
      leased: false,
      rentable: true,
    });
    expect((await wishes(joined.secret)).wishes).toMatchObject([{ wanted: "destroyed" }]);
    await report(joined.secret, seen(instanceId, "gone", { containerId: null }));
    expect((await wishes(joined.secret)).wishes).toEqual([]);
  });

  it("AGT-10 a destroyed instance keeps its offer until the agent has said that nothing of it is left", async () => {
    const { joined, instanceId, renter, offerId } = await makeRented();
    await report(joined.secret, seen(instanceId, "running"));
    await reconcileInstances(rethrow);
    await callApi(operations.deleteInstance, { key: renter.key, params: { instance_id: instanceId } });
    await reconcileInstances(rethrow);
    await report(joined.secret, seen(instanceId, "running"));
    await reconcileInstances(rethrow);
    expect((await db().offer.findUniqueOrThrow({ where: { id: offerId } })).leased).toBe(true);
    await report(joined.secret, seen(instanceId, "gone", { containerId: null }));
    await reconcileInstances(rethrow);
    expect(await db().offer.findUniqueOrThrow({ where: { id: offerId } })).toMatchObject({
      leased: false,
      rentable: true,
    });
    expect((await wishes(joined.secret)).wishes).toEqual([]);
  });

  it("AGT-11 pausing is over when the agent says so, and a start is not taken for granted", async () => {
    const { joined, instanceId, renter } = await makeRented();
    const params = { instance_id: instanceId };
    await report(joined.secret, seen(instanceId, "running"));
    await reconcileInstances(rethrow);
    await callApi(operations.controlInstance, { key: renter.key, params, query: { action: "pause" } });
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({ status: "paused", phase: "pausing" });
    await report(joined.secret, seen(instanceId, "stopped"));
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({ status: "paused", phase: "paused" });
    await callApi(operations.controlInstance, { key: renter.key, params, query: { action: "start" } });
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({ status: "pending" });
    await report(joined.secret, seen(instanceId, "running", { boot: 1 }));
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({ status: "running" });
  });

  it("AGT-12 an agent sees and moves only what is on its own machine", async () => {
    const { instanceId, renter, joined } = await makeRented();
    const thief = await joinMachine((await makeAccount()).userId);
    const secretId = await makeSecret(renter.key);
    await callApi(operations.attachSecret, {
      key: renter.key,
      params: { instance_id: instanceId },
      body: { secret_id: secretId },
    });
    expect((await wishes(thief.secret)).wishes).toEqual([]);
    expect((await callAgent(`/agent/keys/${instanceId}`, { secret: thief.secret })).data).toEqual({
      keys: [],
    });
    expect(
      (await callAgent<{ keys: string[] }>(`/agent/keys/${instanceId}`, { secret: joined.secret })).data.keys,
    ).toHaveLength(1);
    const logs = { [instanceId]: [{ atNs: "5", stream: "stdout", text: "mine now" }] };
    const body = { engineAvailable: true, seen: [seen(instanceId, "running")], logs };
    expect(await callAgent("/agent/report", { secret: thief.secret, body })).toMatchObject({
      status: 200,
      data: { logsUntil: {} },
    });
    await reconcileInstances(rethrow);
    expect(await statusOf(renter.key, instanceId)).toMatchObject({ status: "pending", logs: null });
  });

  it("AGT-13 the registry password is there for the pull and not later, and for nobody else", async () => {
    const { instanceId, joined } = await makeRented();
    await db().instance.update({
      where: { id: instanceId },
      data: { dockerPasswordSealed: Buffer.from(sealPassword("hunter2", `instance:${instanceId}`)) },
    });
    const ask = (secret: string) => callAgent(`/agent/registry-password/${instanceId}`, { secret });
    expect(JSON.stringify(await wishes(joined.secret))).not.toContain("hunter2");
    expect((await ask(joined.secret)).data).toEqual({ password: "hunter2" });
    const thief = await joinMachine((await makeAccount()).userId);
    expect((await ask(thief.secret)).data).toEqual({ password: null });
    await report(joined.secret, seen(instanceId, "running"));
    await reconcileInstances(rethrow);
    expect((await ask(joined.secret)).data).toEqual({ password: null });
    await report(joined.secret, seen(instanceId, "pulling"));
    expect((await ask(joined.secret)).data).toEqual({ password: null });
  });

  it("AGT-14 a secret rotates without locking the agent out, and can be revoked", async () => {
    await makeGpu();
    const { userId } = await makeAccount();
    const { secret, hosts } = await joinMachine(userId);
    const rotate = (with_: string) => callAgent<{ secret: string }>("/agent/rotate", { secret: with_ });
    const lost = (await rotate(secret)).data.secret;
    const next = (await rotate(secret)).data.secret; // the first answer was lost
    expect((await callAgent("/agent/wishes", { secret: lost })).status).toBe(401);
    expect((await callAgent("/agent/wishes", { secret })).status).toBe(200);
    expect((await callAgent("/agent/wishes", { secret: next })).status).toBe(200);
    expect((await callAgent("/agent/wishes", { secret })).status).toBe(401);
    await revokeAgent(hosts[0]?.hostId ?? "");
    expect((await callAgent("/agent/wishes", { secret: next })).status).toBe(401);
    expect(await db().host.findFirstOrThrow({ where: { userId } })).toMatchObject({
      status: "inactive",
      statusReason: "agent_unavailable",
    });
    const stored = JSON.stringify(await db().agent.findMany({ where: { userId } }));
    expect(stored).not.toContain(next.slice(16, 40));
  });

  it("AGT-15 an operator's word decides: banned, and where it is asked for, verified", async () => {
    await makeGpu();
    const { userId } = await makeAccount();
    const { hosts } = await joinMachine(userId);
    const hostId = hosts[0]?.hostId ?? "";
    const state = () =>
      db().host.findUniqueOrThrow({
        where: { id: hostId },
        select: { status: true, statusReason: true, offer: { select: { rentable: true } } },
      });
    await judgeHost(hostId, "ban");
    expect(await state()).toEqual({ status: "inactive", statusReason: "banned", offer: { rentable: false } });
    process.env.REQUIRE_VERIFIED_HOSTS = "1";
    onTestFinished(() => {
      delete process.env.REQUIRE_VERIFIED_HOSTS;
    });
    await judgeHost(hostId, "unban");
    expect(await state()).toMatchObject({ statusReason: "not_verified", offer: { rentable: false } });
    await judgeHost(hostId, "verify");
    expect(await state()).toEqual({ status: "active", statusReason: null, offer: { rentable: true } });
  });

  it("AGT-16 an engine that is away takes the host off the market, and back", async () => {
    await makeGpu();
    const { userId } = await makeAccount();
    const { secret } = await joinMachine(userId);
    const say = (engineAvailable: boolean) =>
      callAgent("/agent/report", { secret, body: { engineAvailable, seen: [], logs: {} } });
    await say(false);
    expect(await db().host.findFirstOrThrow({ where: { userId } })).toMatchObject({
      status: "error",
      statusReason: "engine_unavailable",
    });
    await say(true);
    expect(await db().host.findFirstOrThrow({ where: { userId } })).toMatchObject({
      status: "active",
      statusReason: null,
    });
  });

  it("AGT-17 the list of what agents call is the folders' own, and nothing there is open without a secret", async () => {
    const folder = join(import.meta.dirname, "../../app/agent");
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      ({ name }) => name === "route.ts",
    );
    const paths = files.map(
      ({ parentPath }) => `/agent${parentPath.slice(folder.length).replaceAll(/\[(\w+)\]/g, "{$1}")}`,
    );
    expect(paths.sort()).toEqual(Object.keys(agentModules).sort());
    for (const path of paths.filter((one) => one !== "/agent/join")) {
      const at = path.replace("{instance_id}", "inst_x");
      for (const secret of [null, "nonsense", "ag-000000000000_nonsense"]) {
        expect(
          await callAgent(at, {
            secret,
            body: at.includes("wishes") || at.includes("keys") ? undefined : {},
          }),
          at,
        ).toMatchObject({
          status: 401,
          error: { code: "invalid_api_key" },
        });
      }
    }
  });
});
