import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { simulateJoin } from "@/lib/agents/simulate-join";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { callAgent, joinBody, openGateway } from "../support/agent-machine";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { GPU, makeGpu } from "../support/world";

useTestDatabase();
beforeAll(makeGpu);

async function makeToken(key: string, body: object = {}) {
  const { status, body: made } = await callApi(operations.createHostToken, { key, body });
  expect(status).toBe(200);
  return { ...made.data, token: made.data.token ?? "", command: made.data.command ?? "" };
}

async function list(key: string) {
  return (await callApi(operations.listHostTokens, { key })).body;
}

const revoke = (key: string, id: string) =>
  callApi(operations.revokeHostToken, { key, params: { token_id: id } });

async function join(token: string) {
  const body = joinBody({ ...(await openGateway()), token });
  return callAgent<{ agentId: string; hosts: { hostId: string }[] }>("/agent/join", { body });
}

const hoursUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / 3_600_000);

describe("host tokens", () => {
  it("HOST-12 a token of one's own lets one machine join; the list says which hosts it became", async () => {
    const { userId, key } = await makeAccount();
    const made = await makeToken(key);
    expect(hoursUntil(made.expires_at)).toBe(24);
    const waiting = { id: made.id, used_at: null, agent_id: null, hosts: [], status: "waiting" };
    expect(await list(key)).toMatchObject({ data: [waiting], total_items: 1 });
    const { status, data } = await join(made.token);
    expect(status).toBe(200);
    expect((await db().host.findFirstOrThrow({ where: { agentId: data.agentId } })).userId).toBe(userId);
    const hosts = data.hosts.map(({ hostId }) => hostId);
    expect((await list(key)).data).toMatchObject([
      { id: made.id, agent_id: data.agentId, hosts, status: "used" },
    ]);
    expect((await join(made.token)).status).toBe(401);
    expect(JSON.stringify(await list(key))).not.toContain(made.token);
  });

  it("HOST-13 the command hands the token over without an argument or the environment, to the market's own address", async () => {
    const { key } = await makeAccount();
    const { token, command } = await makeToken(key);
    expect(command).toBe(`printf %s ${token} | npm run -s agent -- --server http://127.0.0.1 --token-file -`);
    const shown = command.replace(/npm run -s agent/, "bash -c 'echo \"$@\"; cat' npm");
    const { stdout } = await promisify(execFile)("bash", ["-c", shown]);
    expect(stdout).toBe(`-- --server http://127.0.0.1 --token-file -\n${token}`);
    process.env.PUBLIC_URL = "https://gpu.example.com/";
    try {
      expect((await makeToken(key)).command).toContain("--server https://gpu.example.com --token-file -");
    } finally {
      delete process.env.PUBLIC_URL;
    }
  });

  it("HOST-14 a token lasts as long as was asked for, from an hour to a week", async () => {
    const { key } = await makeAccount();
    for (const hours of [1, 168]) {
      expect(hoursUntil((await makeToken(key, { expires_in_hours: hours })).expires_at)).toBe(hours);
    }
    for (const bad of [0, 169, 1.5, "2"]) {
      const refused = await callApi(operations.createHostToken, { key, body: { expires_in_hours: bad } });
      expect(refused.status).toBe(422);
      expect(refused.error.detail).toMatchObject([{ loc: ["body", "expires_in_hours"] }]);
    }
    await db()
      .$executeRaw`UPDATE host_token SET created_at = now() - interval '2 hours', expires_at = now() - interval '1 second'`;
    expect((await list(key)).data.map(({ status }) => status)).toEqual(["expired", "expired"]);
  });

  it("HOST-15 a revoked token joins nothing; one that a machine has used is kept", async () => {
    const { key } = await makeAccount();
    const [given, used] = [await makeToken(key), await makeToken(key)];
    expect((await revoke(key, given.id)).status).toBe(200);
    expect((await join(given.token)).status).toBe(401);
    expect((await revoke(key, given.id)).status).toBe(404);
    await join(used.token);
    const refused = await revoke(key, used.id);
    expect([refused.status, refused.error.code]).toEqual([409, "in_use"]);
    expect((await list(key)).data.map(({ id }) => id)).toEqual([used.id]);
  });

  it("HOST-15 of a join and a revocation at once exactly one wins", async () => {
    const { key } = await makeAccount();
    for (let round = 0; round < 5; round++) {
      const { id, token } = await makeToken(key);
      const [joined, revoked] = await Promise.all([join(token), revoke(key, id)]);
      expect([joined.status, revoked.status]).toEqual(revoked.status === 200 ? [401, 200] : [200, 409]);
    }
  });

  it("HOST-21 a repeat of an answer that showed a token shows it no more, and nothing has kept it", async () => {
    const { userId, key } = await makeAccount();
    const call = { key, body: {}, headers: { "idempotency-key": "one" } };
    const first = await callApi(operations.createHostToken, call);
    const again = await callApi(operations.createHostToken, call);
    expect(again.body.data).toEqual({ ...first.body.data, token: null, command: null });
    expect((await list(key)).total_items).toBe(1);
    const kept = await db().idempotentRequest.findFirstOrThrow({ where: { userId } });
    expect(kept.body).not.toContain(first.body.data.token);
    expect((await join(first.body.data.token ?? "")).status).toBe(200);
  });

  it("HOST-26 a simulated machine joins by a token as a real one does, and uses it up", async () => {
    const { key } = await makeAccount();
    const { id, token } = await makeToken(key);
    const machine = { gpu: GPU, gpus: 2, priceMicro: 500_000n };
    await expect(simulateJoin(token, { ...machine, gpu: "no-such-card" })).rejects.toMatchObject({
      code: "not_found",
    });
    const joined = await Promise.allSettled([simulateJoin(token, machine), simulateJoin(token, machine)]);
    expect(joined.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const hosts = (await callApi(operations.listHosts, { key })).body.data;
    expect(hosts).toMatchObject([{ status: "active", offer: { gpu_amount: 2, extra: { simulated: true } } }]);
    expect((await list(key)).data).toMatchObject([{ id, status: "used", hosts: [hosts[0]?.id] }]);
    expect((await join(token)).status).toBe(401);
    await expect(simulateJoin("ht-nonsense", machine)).rejects.toMatchObject({ code: "invalid_api_key" });
  });

  it("HOST-16 another's token is a missing one, and is not listed", async () => {
    const [owner, other] = [await makeAccount(), await makeAccount()];
    const { id, token } = await makeToken(owner.key);
    const ask = async (tokenId: string) => (await revoke(other.key, tokenId)).error.detail;
    expect(await ask(id)).toEqual(await ask("missing"));
    expect((await list(other.key)).total_items).toBe(0);
    expect((await join(token)).status).toBe(200);
  });
});
