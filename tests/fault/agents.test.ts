import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHostToken } from "@/lib/agents/create-host-token";
import { reachAgent } from "@/lib/agents/reach-agents";
import { revokeAgent } from "@/lib/agents/revoke-agent";
import type { Seen, WishesAnswer } from "@/lib/contract/agent-protocol";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { rethrow } from "@/lib/worker/each-instance";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { agentCrowd } from "../support/agent-crowd";
import {
  callAgent,
  joinBody,
  joinMachine,
  machine,
  openGateway,
  report,
  seen,
} from "../support/agent-machine";
import { callApi, makeAccount, setBalance } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { expectSoundLedger } from "../support/audit-ledger";
import { makeRentedMachine } from "../support/rented-machine";
import { waitUntil } from "../support/wait-until";
import { makeGpu } from "../support/world";

useTestDatabase();

const makeRented = () => makeRentedMachine({ useJupyter: true });

async function say(secret: string, number: number, ...containers: Seen[]) {
  const answer = await callAgent("/agent/report", {
    secret,
    body: { number, engineAvailable: true, seen: containers, logs: {} },
  });
  expect(answer.status).toBe(200);
  await reconcileInstances(rethrow);
}

async function look(key: string, instanceId: string) {
  await db()
    .$executeRaw`UPDATE instance SET due_at = clock_timestamp() WHERE id = ${instanceId} AND due_at IS NOT NULL`;
  await reconcileInstances(rethrow);
  return (await callApi(operations.listInstances, { key })).body.data.find(({ id }) => id === instanceId);
}

const wishes = async (secret: string) =>
  (await callAgent<WishesAnswer>("/agent/wishes", { secret })).data.wishes;

const offerOf = (offerId: string) =>
  db().offer.findUniqueOrThrow({
    where: { id: offerId },
    select: { leased: true, rentable: true, live: true },
  });

const destroy = (key: string, instanceId: string) =>
  callApi(operations.deleteInstance, { key, params: { instance_id: instanceId } });

describe("agents that fail, race and lie", () => {
  it("FLT-30 a ban that comes while the machine is dialled is not written over by what was found before it", async () => {
    await makeGpu();
    const { agentId, hosts } = await joinMachine((await makeAccount()).userId);
    const hostId = hosts[0]?.hostId ?? "";
    await db().$executeRaw`UPDATE agent SET reachable = false WHERE id = ${agentId}`;
    await db()
      .$executeRaw`UPDATE host SET status = 'error', status_reason = 'not_reachable' WHERE id = ${hostId}`;
    await db().$executeRaw`UPDATE offer SET live = false WHERE host_id = ${hostId}`;
    const other = new Client({ connectionString: process.env.DATABASE_URL });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("BEGIN");
    await other.query(
      "UPDATE host SET banned_at = now(), status = 'inactive', status_reason = 'banned' WHERE id = $1",
      [hostId],
    );
    const dialled = reachAgent(agentId);
    await waitUntil("it waits for the ban", async () => {
      const [row] = await db().$queryRaw<{ waiting: number }[]>`
        SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (row?.waiting ?? 0) > 0;
    });
    await other.query("COMMIT");
    await dialled;
    expect(
      await db().host.findUniqueOrThrow({
        where: { id: hostId },
        select: { status: true, statusReason: true, offer: { select: { live: true, rentable: true } } },
      }),
    ).toEqual({ status: "inactive", statusReason: "banned", offer: { live: false, rentable: false } });
  });

  it("FLT-31 reports, silences, joins, dials, verdicts, verbs and workers over 20 slots never wait in a circle, and each instance ends where it was wanted", async () => {
    await makeGpu();
    const result = await agentCrowd();
    expect(result.failures).toEqual([]);
    expect(result.astray).toEqual([]);
    await expectSoundLedger("after the crowd of agents");
  });

  it("FLT-32 a report that a newer one has overtaken brings nothing back", async () => {
    const { joined, renter, instanceId } = await makeRented();
    await say(joined.secret, 10, seen(instanceId, "running"));
    await say(joined.secret, 12, seen(instanceId, "exited"));
    expect(await look(renter.key, instanceId)).toMatchObject({ status: "error" });
    await say(joined.secret, 11, seen(instanceId, "running"));
    await say(joined.secret, 12, seen(instanceId, "running"));
    expect(await db().hostContainer.findUniqueOrThrow({ where: { instanceId } })).toMatchObject({
      state: "exited",
    });
    const { body } = joined;
    await callAgent("/agent/join", { secret: joined.secret, body: { ...body, token: null } });
    await say(joined.secret, 3, seen(instanceId, "running"));
    expect(await db().hostContainer.findUniqueOrThrow({ where: { instanceId } })).toMatchObject({
      state: "running",
    });
  });

  it("FLT-33 what an agent says leads renters nowhere but to its own machine, and never answers 5xx", async () => {
    const { joined, renter, instanceId } = await makeRented();
    const urls = [
      "javascript:alert(1)",
      "http://evil.example:20001/",
      "http://127.0.0.1:9/",
      "http://u:p@127.0.0.1:20001/",
      "no",
    ];
    for (const uiUrl of urls) {
      const ports = { "22": "20001", "80": "9", "<b>": "20002", "8080/udp": "20003", "81": "20001; rm" };
      const lie = seen(instanceId, "running", { uiUrl, ports, address: "-oProxyCommand=x", sshPort: 22 });
      expect((await report(joined.secret, lie)).status).toBe(200);
      expect(await look(renter.key, instanceId)).toMatchObject({
        status: "running",
        address: "127.0.0.1",
        ssh_host: "127.0.0.1",
        ssh_port: null,
        ui_url: null,
        ports: { "22": "20001", "8080/udp": "20003" },
      });
    }
    const honest = seen(instanceId, "running", { uiUrl: "http://127.0.0.1:20005/lab?token=x" });
    await report(joined.secret, honest);
    expect(await look(renter.key, instanceId)).toMatchObject({
      ui_url: "http://127.0.0.1:20005/lab?token=x",
    });
    const whole = (over: object) =>
      JSON.stringify({ engineAvailable: true, seen: [{ ...honest, ...over }], logs: {} });
    const stats = { gpuUtil: 1, cpuUtil: 1, ramUtil: 1, memUtil: 1, inetIn: 0, inetOut: 0 };
    const bodies = [
      whole({ instanceId: `${instanceId}\0` }),
      whole({ containerId: "\0\ud800", uiUrl: "http://127.0.0.1:20001/\0\ud800", address: "\0" }),
      whole({ ports: { "\0": "\0", "\ud800": "\udfff" } }),
      whole({ boot: 2 ** 40 }),
      whole({ boot: -1 }),
      whole({ stats: { ...stats, gpuUtil: -1 } }),
      whole({ stats: { ...stats, inetIn: 2 ** 53 } }),
      whole({ stats }).replace('"gpuUtil":1', '"gpuUtil":1e999'),
      whole({ stats }).replace('"gpuUtil":1', '"gpuUtil":NaN'),
      whole({ message: "\0\ud800".repeat(10_000) }),
      `{"engineAvailable":true,"seen":[],"logs":{"__proto__":[{"atNs":"1","stream":"stdout","text":"x"}],"constructor":[]}}`,
      `{"engineAvailable":true,"seen":[],"logs":{"${instanceId}":[{"atNs":"9999999999999999999","stream":"stdout","text":"\\u0000\\ud800"}],"\\u0000":[]}}`,
      `{"engineAvailable":true,"seen":[${Array(256).fill(JSON.stringify(honest)).join()}],"logs":{}}`,
      `{"number":-1,"engineAvailable":true,"seen":[],"logs":{}}`,
      `{"number":1e308,"engineAvailable":true,"seen":[],"logs":{}}`,
    ];
    for (const rawBody of bodies) {
      const { status } = await callAgent("/agent/report", { secret: joined.secret, rawBody });
      expect([200, 400, 422], rawBody.slice(0, 200)).toContain(status);
    }
    for (const path of ["/agent/keys/%00", "/agent/registry-password/%00", "/agent/wishes?have=%00&wait=0"]) {
      const isRead = !path.includes("password");
      const answer = await callAgent(path, { secret: joined.secret, ...(isRead ? {} : { body: {} }) });
      expect([200, 400, 404], path).toContain(answer.status);
    }
    await report(joined.secret, seen(instanceId, "gone"), seen("inst_nobody", "running"));
    expect(await look(renter.key, instanceId)).toMatchObject({ status: "running" });
    expect(await wishes(joined.secret)).toMatchObject([{ instanceId, wanted: "running" }]);
  });

  it("FLT-34 a slot's next container waits until the former one is gone, also where that was given up", async () => {
    const { joined, renter, instanceId, offerId, rentAgain } = await makeRented();
    await report(joined.secret, seen(instanceId, "failed"));
    await reconcileInstances(rethrow);
    expect(await offerOf(offerId)).toMatchObject({ leased: false, rentable: true });
    const next = await rentAgain();
    expect(await look(renter.key, next)).toMatchObject({
      status: "pending",
      message: expect.stringContaining("removed"),
    });
    expect(await wishes(joined.secret)).toMatchObject([{ instanceId, wanted: "destroyed" }]);
    await report(joined.secret, seen(instanceId, "gone"));
    await look(renter.key, next);
    expect(await wishes(joined.secret)).toMatchObject([{ instanceId: next, wanted: "running" }]);
  });

  it.each(["silent for a day", "revoked"])(
    "FLT-35 of a machine that is %s a destroyed instance's lease goes, so that its owner can delete it",
    async (way) => {
      const { joined, owner, renter, instanceId, offerId, hostId } = await makeRented();
      await report(joined.secret, seen(instanceId, "running"));
      await reconcileInstances(rethrow);
      await destroy(renter.key, instanceId);
      await look(renter.key, instanceId);
      const remove = () => callApi(operations.deleteHost, { key: owner.key, params: { host_id: hostId } });
      expect((await remove()).body).toMatchObject({ code: "in_use" });
      if (way === "revoked") {
        const { revision } = (await callAgent<WishesAnswer>("/agent/wishes", { secret: joined.secret })).data;
        const poll = callAgent(`/agent/wishes?wait=20&have=${revision}`, { secret: joined.secret });
        await revokeAgent(hostId);
        expect((await poll).status).toBe(401);
      } else
        await db()
          .$executeRaw`UPDATE host SET last_report_at = now() - interval '25 hours' WHERE id = ${hostId}`;
      await look(renter.key, instanceId);
      expect(await offerOf(offerId)).toMatchObject({ leased: false });
      if (way !== "revoked") expect(await wishes(joined.secret)).toMatchObject([{ wanted: "destroyed" }]);
      expect((await remove()).status).toBe(200);
      await expectSoundLedger("after the machine was lost");
    },
  );

  it("FLT-36 of machines that race for a token one joins, the same one twice stays one, and a suspended account's joins nothing", async () => {
    await makeGpu();
    const { userId } = await makeAccount();
    const joinAll = async (gateways: { port: number; fingerprint: string }[]) => {
      const { token } = await createHostToken(userId);
      const answers = await Promise.all(
        gateways.map((gateway) =>
          callAgent<{ agentId: string }>("/agent/join", { body: joinBody({ ...gateway, token }) }),
        ),
      );
      return answers.map(({ status, data }) => ({ status, agentId: data?.agentId }));
    };
    const two = await joinAll(await Promise.all([openGateway(), openGateway(), openGateway()]));
    expect(two.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const same = await openGateway();
    const one = await joinAll([same, same, same]);
    expect(one.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(one.map(({ agentId }) => agentId)).size).toBe(1);
    expect(await db().host.count({ where: { userId } })).toBe(2);
    const spent = await joinMachine(userId);
    await say(spent.secret, 1);
    const found = { ...spent.body, token: spent.body.token };
    expect((await callAgent("/agent/join", { body: found })).status).toBe(401);
    expect((await callAgent("/agent/wishes", { secret: spent.secret })).status).toBe(200);
    const { token } = await createHostToken(userId);
    await db().$executeRaw`UPDATE "user" SET suspended_at = now() WHERE id = ${userId}`;
    const body = joinBody({ ...(await openGateway()), token });
    expect((await callAgent("/agent/join", { body })).status).toBe(401);
  });

  it("FLT-37 a machine that says nonsense of itself is refused where it stands, and never answers 5xx", async () => {
    await makeGpu();
    const { userId } = await makeAccount();
    const { token } = await createHostToken(userId);
    const good = joinBody({ ...(await openGateway()), token });
    const bad = [
      ...["-oProxyCommand=x", "a b", "", "evil/x", "x;y", "::1%eth0", "\0", "a..b"].map((address) => ({
        address,
      })),
      { firstPort: 20_100, lastPort: 20_000 },
      { price: 1e300 },
      { price: 1e-9 },
      { diskPrice: 1e300 },
      { machine: { ...machine, ramGb: 1e300 } },
      { machine: { ...machine, vcpu: -1 } },
    ];
    for (const over of bad) {
      const { status } = await callAgent("/agent/join", { body: { ...good, ...over } });
      expect([400, 422], JSON.stringify(over)).toContain(status);
    }
    const odd = { ...good, engine: "\0\ud800", place: { city: "\0", country: "\ud800", region: null } };
    expect((await callAgent("/agent/join", { body: odd })).status).toBe(200);
    expect(await db().host.count({ where: { userId } })).toBe(1);
  });

  it("FLT-38 a gateway that says nothing, never ends, or is in the market's own network costs a join a few seconds at most", async () => {
    await makeGpu();
    const { userId } = await makeAccount();
    const open = new Set<Socket>();
    const listen = async (talk: (socket: Socket) => void) => {
      const server = createServer((socket) => {
        open.add(
          socket
            .on("error", () => undefined)
            .on("close", () => open.delete(socket))
            .resume(),
        );
        talk(socket);
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      onTestFinished(() => void server.close());
      return Number(Reflect.get(Object(server.address()), "port"));
    };
    const endless = (socket: Socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(`${"x".repeat(200)}\n`));
        if (!socket.destroyed) socket.once("drain", more);
      };
      more();
    };
    for (const talk of [() => undefined, endless]) {
      const { problems } = await joinMachine(userId, { port: await listen(talk) });
      expect(problems).toEqual([expect.stringContaining("Nothing answers")]);
      await waitUntil("the market has hung up", async () => open.size === 0);
    }
    process.env.PUBLIC_URL = "https://gpu.example.com";
    onTestFinished(() => {
      delete process.env.PUBLIC_URL;
    });
    let dialled = 0;
    const port = await listen(() => {
      dialled += 1;
    });
    for (const address of [
      "127.0.0.1",
      "localhost",
      "::ffff:127.0.0.1",
      "::1",
      "0.0.0.0",
      "::",
      "10.0.0.1",
      "169.254.169.254",
      "100.64.0.1",
      "fd00::1",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "2130706433",
      "0x7f.1",
      "127.1",
    ]) {
      const { problems, hosts } = await joinMachine(userId, { address, port });
      expect(problems.join(), address).toMatch(/not a public address|cannot be resolved/);
      expect(hosts[0]?.statusReason).toBe("not_reachable");
    }
    expect(dialled).toBe(0);
  });

  it("FLT-39 a container that ended in the moment of a pause is not taken for the one that is started after it", async () => {
    const { joined, renter, instanceId } = await makeRented();
    await setBalance(renter.userId, 100_000_000n);
    const control = (action: "pause" | "start") =>
      callApi(operations.controlInstance, {
        key: renter.key,
        params: { instance_id: instanceId },
        query: { action },
      });
    await say(joined.secret, 1, seen(instanceId, "running"));
    await control("pause");
    await report(joined.secret, seen(instanceId, "exited"));
    expect(await look(renter.key, instanceId)).toMatchObject({ status: "paused" });
    await control("start");
    expect(await look(renter.key, instanceId)).toMatchObject({ status: "pending" });
    const [wish] = await wishes(joined.secret);
    await say(joined.secret, 2, seen(instanceId, "running", { boot: wish?.boot ?? 0 }));
    expect(await look(renter.key, instanceId)).toMatchObject({ status: "running" });
    await destroy(renter.key, instanceId);
    await expectSoundLedger("after an end in the moment of a pause");
  });
});
