import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { makeAccount, makeOffer, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { type ServerProcess, startServer } from "../support/server";
import { waitUntil } from "../support/wait-until";

useTestDatabase();

/** Long enough to be met in every phase of it. */
const BOOT_MS = 1_500;

interface Renter {
  server: ServerProcess;
  key: string;
  userId: string;
  offerId: string;
  templateId: string;
  instanceId: string;
}

type Row = { status: string; phase: string; wanted: string; holdsLease: boolean };

function start(): Promise<ServerProcess> {
  const DATABASE_URL = process.env.DATABASE_URL ?? "";
  return startServer({ DATABASE_URL, ROLE: "both", SIMULATED_BOOT_MS: String(BOOT_MS) });
}

async function call({ server, key }: Renter, method: string, path: string, body?: object): Promise<unknown> {
  const init = { method, headers: { "x-api-key": key, "content-type": "application/json" } };
  const answer = await fetch(server.url + path, body ? { ...init, body: JSON.stringify(body) } : init);
  const json = await answer.json();
  expect(answer.status, `${method} ${path} ${JSON.stringify(json)}`).toBe(200);
  return json;
}

async function rentNow(): Promise<Renter> {
  const server = await start();
  const { key, userId } = await makeAccount();
  const { offerId } = await makeOffer();
  const { templateId } = await makeTemplate(userId);
  const renter = { server, key, userId, offerId, templateId, instanceId: "" };
  await call(renter, "POST", "/v0/instances/create", { offer_id: offerId, template_id: templateId });
  const { id } = await db().instance.findFirstOrThrow({ where: { userId } });
  return { ...renter, instanceId: id };
}

function look({ instanceId }: Renter): Promise<Row> {
  return db().instance.findUniqueOrThrow({
    where: { id: instanceId },
    select: { status: true, phase: true, wanted: true, holdsLease: true },
  });
}

/** Waits for a phase; one that has passed already is as good, for the kill then falls right behind it. */
async function reach(renter: Renter, ...phases: string[]): Promise<void> {
  await waitUntil(`phase ${phases[0]}`, async () => phases.includes((await look(renter)).phase), 60_000);
}

const control = (renter: Renter, action: "start" | "pause") =>
  call(renter, "PUT", `/v0/instances/${renter.instanceId}?action=${action}`);

const running = (renter: Renter) => reach(renter, "running");

async function paused(renter: Renter): Promise<void> {
  await running(renter);
  await control(renter, "pause");
  await reach(renter, "paused");
}

/** Ten points of a life: how to get there, and where the instance has to be in the end. */
const points: [string, (renter: Renter) => Promise<unknown>, "running" | "paused" | "destroyed"][] = [
  ["just after create", async () => undefined, "running"],
  ["during pulling", (renter) => reach(renter, "pulling", "starting", "running"), "running"],
  ["during starting", (renter) => reach(renter, "starting", "running"), "running"],
  ["while running", running, "running"],
  ["while pausing", async (renter) => [await running(renter), await control(renter, "pause")], "paused"],
  ["while paused", paused, "paused"],
  ["while resuming", async (renter) => [await paused(renter), await control(renter, "start")], "running"],
  [
    "while rebooting",
    async (renter) => [
      await running(renter),
      await call(renter, "POST", `/v0/instances/reboot/${renter.instanceId}`),
    ],
    "running",
  ],
  [
    "while being destroyed",
    async (renter) => [
      await running(renter),
      await call(renter, "DELETE", `/v0/instances/${renter.instanceId}`),
    ],
    "destroyed",
  ],
  [
    "just after it was destroyed",
    async (renter) => {
      await running(renter);
      await call(renter, "DELETE", `/v0/instances/${renter.instanceId}`);
      await waitUntil("its lease is free", async () => !(await look(renter)).holdsLease);
    },
    "destroyed",
  ],
];

describe("kill -9 of the server", () => {
  it.each(points)(
    "FLT-01 %s: after a restart the instance gets where it was wanted",
    async (_, get, end) => {
      const renter = await rentNow();
      await get(renter);
      await renter.server.kill("SIGKILL");
      const server = await start();
      await waitUntil(
        `it is ${end}, and its container with it`,
        async () => {
          const { status, holdsLease } = await look(renter);
          const lives = end !== "destroyed";
          // The lease goes in a transaction of its own, after the container.
          return (
            status === end && holdsLease === lives && (await countContainers(renter)) === (lives ? 1 : 0)
          );
        },
        90_000,
      );
      await expectWhole(renter, end);
      await expectUsable({ ...renter, server }, end);
    },
    180_000,
  );
});

async function countContainers({ instanceId }: Renter): Promise<number> {
  return db().simulatedContainer.count({ where: { instanceId } });
}

/** No lease lost or doubled, no second of the meter counted twice, and none open that should not be. */
async function expectWhole({ instanceId, offerId, userId }: Renter, end: string): Promise<void> {
  const [facts] = await db().$queryRaw<object[]>`
    SELECT
      (SELECT count(*) FROM instance WHERE user_id = ${userId})::int AS instances,
      (SELECT count(*) FROM instance WHERE offer_id = ${offerId} AND holds_lease)::int AS leases,
      (SELECT leased FROM offer WHERE id = ${offerId}) AS leased,
      (SELECT count(*) FROM meter_interval WHERE instance_id = ${instanceId} AND ended_at IS NULL)::int AS open,
      (SELECT count(*) FROM meter_interval a JOIN meter_interval b ON a.instance_id = b.instance_id AND a.id < b.id
        AND tstzrange(a.started_at, a.ended_at) && tstzrange(b.started_at, b.ended_at)
        WHERE a.instance_id = ${instanceId})::int AS overlaps,
      (SELECT burn_micro > 0 FROM balance WHERE user_id = ${userId}) AS burns`;
  const lives = end !== "destroyed";
  expect(facts).toEqual({
    instances: 1,
    leases: lives ? 1 : 0,
    leased: lives,
    open: lives ? 1 : 0,
    overlaps: 0,
    burns: lives,
  });
}

/** The renter can go on: a live instance is destroyed, and what was leased can be rented again. */
async function expectUsable(renter: Renter, end: string): Promise<void> {
  if (end !== "destroyed") await call(renter, "DELETE", `/v0/instances/${renter.instanceId}`);
  await waitUntil("the offer is free", async () => {
    const { leased } = await db().offer.findUniqueOrThrow({ where: { id: renter.offerId } });
    return !leased;
  });
  const body = { offer_id: renter.offerId, template_id: renter.templateId };
  await call(renter, "POST", "/v0/instances/create", body);
  await renter.server.kill("SIGTERM");
}
