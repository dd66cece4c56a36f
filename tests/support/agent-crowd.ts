import { reachAgent } from "@/lib/agents/reach-agents";
import { settleUsage } from "@/lib/billing/settle-usage";
import { createSeededRandom } from "@/lib/catalogue/seeded-random";
import type { Seen, WishesAnswer } from "@/lib/contract/agent-protocol";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { judgeHost } from "@/lib/hosts/judge-host";
import { followTime } from "@/lib/worker/follow-time";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { callAgent, joinMachine, machine, seen } from "./agent-machine";
import { callApi, makeAccount, makeTemplate, setBalance } from "./api";
import { makeSecret } from "./world";

const SLOTS = 20;
const STEPS = 60;

/** An agent in process that does at once what is wanted, and says so. */
async function obey(secret: string, number: number, engineAvailable: boolean): Promise<number> {
  const { data, status } = await callAgent<WishesAnswer>("/agent/wishes", { secret });
  if (status !== 200) return status;
  const containers = data.wishes.map(({ instanceId, wanted, boot }): Seen => {
    const state = { running: "running", paused: "stopped", destroyed: "gone" } as const;
    return seen(instanceId, state[wanted], { boot });
  });
  const body = { number, engineAvailable, seen: containers, logs: {} };
  return (await callAgent("/agent/report", { secret, body })).status;
}

/**
 * Lets everything that touches an agent's 20 slots happen at once, then lets it come to rest.
 * @returns `failures`: what failed otherwise than by a refusal; `astray`: what is not where it was wanted
 */
export async function agentCrowd(): Promise<{ failures: string[]; astray: object[] }> {
  const random = createSeededRandom("agents");
  const pick = <T>(items: readonly T[]): T => {
    const [first, ...rest] = items;
    if (first === undefined) throw new Error("nothing to pick from");
    return random.pick([first, ...rest]);
  };
  const owner = await makeAccount();
  const renter = await makeAccount();
  const gpus = Array.from({ length: SLOTS }, (_, i) =>
    machine.gpus.map((gpu) => ({ ...gpu, uuid: `GPU-${i}` })),
  );
  const joined = await joinMachine(owner.userId, {
    slots: SLOTS,
    machine: { ...machine, gpus: gpus.flat() },
  });
  const { agentId, secret } = joined;
  await setBalance(renter.userId, 1_000_000_000n);
  const { templateId } = await makeTemplate(renter.userId);
  const secretId = await makeSecret(renter.key);
  const hostIds = joined.hosts.map(({ hostId }) => hostId);
  const offers = await db().offer.findMany({ where: { hostId: { in: hostIds } } });
  const failures: string[] = [];
  const fail = (what: string) => (error: unknown) => void failures.push(`${what}: ${error}`);
  const expectNo5xx = (what: string, status: number) => {
    if (status >= 500) failures.push(`${what}: ${status}`);
  };
  let number = 0;
  let count = 0;
  const mine = () =>
    db().instance.findMany({ where: { userId: renter.userId, status: { not: "destroyed" } } });
  const use = async () => {
    const rows = await mine();
    const row = rows.length > 0 ? pick(rows) : null;
    const { key } = renter;
    if (!row || random.chance(0.35)) {
      const body = { offer_id: pick(offers).id, template_id: templateId };
      const { status } = await callApi(operations.createInstance, { key, body });
      return expectNo5xx("rent", status);
    }
    const params = { instance_id: row.id };
    const verbs = [
      () => callApi(operations.deleteInstance, { key, params }),
      () => callApi(operations.controlInstance, { key, params, query: { action: "pause" } }),
      () => callApi(operations.controlInstance, { key, params, query: { action: "start" } }),
      () => callApi(operations.rebootInstance, { key, params }),
      () => callApi(operations.attachSecret, { key, params, body: { secret_id: secretId } }),
    ];
    expectNo5xx("verb", (await pick(verbs)()).status);
  };
  const silence = () => db().$executeRaw`
    UPDATE host SET last_report_at = clock_timestamp() - interval '4 minutes' WHERE id = ${pick(hostIds)}`;
  const actors: [string, number, () => Promise<unknown>][] = [
    [
      "report",
      3,
      async () => {
        number += 1;
        count += 1;
        expectNo5xx("report", await obey(secret, number, count % 7 !== 0));
      },
    ],
    ["use", 4, use],
    ["reconcile", 2, () => reconcileInstances(fail("reconcile one"))],
    ["settle", 2, () => settleUsage()],
    ["time", 1, () => followTime(fail("time of one"))],
    ["silence", 1, silence],
    ["reach", 2, () => reachAgent(agentId)],
    ["judge", 1, () => judgeHost(pick(hostIds), pick(["ban", "unban", "verify", "unverify"] as const))],
    [
      "join",
      1,
      async () => {
        const body = { ...joined.body, token: null };
        expectNo5xx("join", (await callAgent("/agent/join", { secret, body })).status);
        number = 0;
      },
    ],
  ];
  await Promise.all(
    actors.flatMap(([name, many, step]) =>
      Array.from({ length: many }, async () => {
        for (let done = 0; done < STEPS; done += 1) await step().catch(fail(name));
      }),
    ),
  );
  for (const hostId of hostIds) await judgeHost(hostId, "unban");
  for (let round = 0; round < 6; round += 1) {
    number += 100;
    expectNo5xx("last report", await obey(secret, number, true));
    await db().$executeRaw`UPDATE instance SET due_at = clock_timestamp() WHERE due_at IS NOT NULL`;
    for (let claimed = 1; claimed > 0; ) claimed = await reconcileInstances(fail("last reconcile"));
  }
  await reachAgent(agentId);
  const astray = await db().$queryRaw<object[]>`
    SELECT i.id, i.status, i.wanted, i.message, i.holds_lease FROM instance i WHERE i.user_id = ${renter.userId} AND NOT (
      (i.wanted = 'running' AND i.status IN ('running', 'error')) OR (i.wanted = 'paused' AND i.status = 'paused')
      OR (i.wanted = 'destroyed' AND i.status = 'destroyed' AND NOT i.holds_lease))
    UNION ALL SELECT h.id, h.status, h.status_reason, 'host', o.live FROM host h JOIN offer o ON o.host_id = h.id
      WHERE h.agent_id = ${agentId} AND (h.status <> 'active' OR NOT o.live)`;
  return { failures: [...new Set(failures)], astray };
}
