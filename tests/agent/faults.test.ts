import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect as inspectValue } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyLedger } from "@/lib/billing/verify-ledger";
import { db, type Prisma } from "@/lib/db/client";
import { spawnAgent, startAgent } from "../support/agent-process";
import { makeAccount, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { describeWithEngine } from "../support/describe-with-engine";
import { type RealMarket, startRealMarket, startRealServer } from "../support/real-market";
import { call, type Instance, reach } from "../support/renter";
import { startTestEngine, TEST_IMAGE, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";

useTestDatabase();

const AGREE_WITHIN_MS = 60_000;

type Outcome = "running" | "paused" | "destroyed";

/** The steps of a life: what is asked for, where it leads, and how often the container has started by then. */
const steps: [
  step: string,
  method: string | null,
  path: (id: string) => string,
  outcome: Outcome,
  starts: number,
][] = [
  ["being made", null, (id) => id, "running", 1],
  ["running", null, (id) => id, "running", 1],
  ["pausing", "PUT", (id) => `/v0/instances/${id}?action=pause`, "paused", 1],
  ["paused", null, (id) => id, "paused", 1],
  ["starting", "PUT", (id) => `/v0/instances/${id}?action=start`, "running", 2],
  ["rebooting", "POST", (id) => `/v0/instances/reboot/${id}`, "running", 3],
  ["being destroyed", "DELETE", (id) => `/v0/instances/${id}`, "destroyed", 3],
];

describeWithEngine("faults of agent, server and engine", () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startTestEngine();
  });
  afterAll(() => engine.remove());

  async function rentOne(
    market: RealMarket,
    template: Partial<Prisma.TemplateUncheckedCreateInput> = {},
  ): Promise<string> {
    const [image = "", imageTag = ""] = TEST_IMAGE.split(":");
    const usual = { image, imageTag, onStartCommand: "echo boot" };
    const { templateId } = await makeTemplate(market.renter.userId, { ...usual, ...template });
    const body = { offer_id: market.offerIds[0], template_id: templateId };
    const [rented] = await call<Instance[]>(market.renter, "POST", "/v0/instances/create", body);
    return rented?.id ?? "";
  }

  /** The containers of an instance as the engine itself has them. */
  async function inspect(instanceId: string): Promise<{ id: string; isRunning: boolean; starts: number }[]> {
    const filter = ["--filter", `label=berth.instance=${instanceId}`];
    const rows = JSON.parse(
      await engine.podman("ps", "--all", "--no-trunc", "--format", "json", ...filter),
    ) as { Id: string; State: string }[];
    const seen = await Promise.all(
      rows.map(async ({ Id: id, State }) => ({ id, State, logs: await readLogs(id) })),
    );
    return seen.flatMap(({ id, State, logs }) => {
      const starts = logs?.split("\n").filter((line) => line === "boot").length ?? 0;
      return logs === null ? [] : [{ id, isRunning: State === "running", starts }];
    });
  }

  /** null where it was removed since it was listed. */
  function readLogs(containerId: string): Promise<string | null> {
    return engine.podman("logs", containerId).catch((error: Error) => {
      if (error.message.includes("no such container")) return null;
      throw error;
    });
  }

  /** The database says what the engine has: one container in the state that is wanted, or nothing at all. */
  async function agree(market: RealMarket, instanceId: string, outcome: Outcome): Promise<boolean> {
    const [row, containers, networks] = await Promise.all([
      db().instance.findUniqueOrThrow({
        where: { id: instanceId },
        include: { container: true, offer: true },
      }),
      inspect(instanceId),
      engine.podman("network", "ls", "--quiet", "--filter", "label=berth.agent"),
    ]);
    if (outcome === "destroyed") {
      return (
        row.status === "destroyed" &&
        !row.holdsLease &&
        !row.offer.leased &&
        row.container === null &&
        containers.length === 0 &&
        networks === ""
      );
    }
    const [container] = containers;
    return (
      row.status === outcome &&
      row.phase === outcome &&
      containers.length === 1 &&
      row.container?.containerId === container?.id &&
      container?.isRunning === (outcome === "running") &&
      market.ownerId !== ""
    );
  }

  /** What there is, where database and engine do not agree. */
  async function tellState(market: RealMarket, instanceId: string): Promise<string> {
    const row = await db().instance.findUniqueOrThrow({
      where: { id: instanceId },
      include: { container: true, offer: { select: { leased: true } } },
    });
    const said = await Promise.all([
      engine.podman("ps", "--all", "--no-trunc"),
      engine.podman("network", "ls"),
    ]).catch((error: Error) => [error.message]);
    return [inspectValue(row), ...said, market.agent.log().slice(-8_000)].join("\n");
  }

  async function untilAgreed(what: string, market: RealMarket, id: string, outcome: Outcome): Promise<void> {
    await waitUntil(
      what,
      () => agree(market, id, outcome),
      AGREE_WITHIN_MS,
      () => tellState(market, id),
    );
  }

  /**
   * Walks through a life with a blow after each wish, and another moment for the blow at each.
   * @param mayStartTwice an engine that is killed over a start does not know of it, so that the container is started again
   */
  async function walk(
    market: RealMarket,
    blow: (step: string) => Promise<void>,
    mayStartTwice = false,
  ): Promise<void> {
    const id = await rentOne(market);
    for (const [i, [step, method, path, outcome, starts]] of steps.entries()) {
      if (method) await call(market.renter, method, path(id));
      await sleep((i * 37) % 120);
      await blow(step);
      await untilAgreed(`${step}: engine and database agree`, market, id, outcome);
      if (outcome === "destroyed") continue;
      await waitUntil(
        `${step}: it has started ${starts} times`,
        async () => {
          const seen = (await inspect(id))[0]?.starts ?? 0;
          return seen >= starts && seen <= starts + (mayStartTwice ? i + 1 : 0);
        },
        AGREE_WITHIN_MS,
        () => tellState(market, id),
      );
    }
  }

  it("LIFE-02 an agent killed -9 at each step goes on from what it finds", async () => {
    const market = await startRealMarket(engine);
    const { dataDir, firstPort } = market.agent;
    await walk(market, async () => {
      await market.agent.kill("SIGKILL");
      market.agent = await startAgent({
        server: market.server.url,
        socket: engine.socket,
        dataDir,
        firstPort,
      });
    });
  }, 400_000);

  it("LIFE-03 a server killed -9 at each step is found again by the agent", async () => {
    const market = await startRealMarket(engine);
    const { port } = new URL(market.server.url);
    await walk(market, async () => {
      await market.server.kill("SIGKILL");
      market.server = await startRealServer({ PORT: port });
    });
  }, 400_000);

  it("LIFE-04 an engine that goes away at each step, once for ten seconds, is waited for", async () => {
    const market = await startRealMarket(engine);
    const goAway = async (step: string) => {
      await engine.stop();
      if (step === "running") {
        await sleep(10_000);
        await waitUntil("the market knows it", async () => {
          const host = await db().host.findFirstOrThrow({ where: { userId: market.ownerId } });
          return host.statusReason === "engine_unavailable";
        });
      } else await sleep(500);
      await engine.start();
    };
    await walk(market, goAway, true);
  }, 400_000);

  it("LIFE-05 an image that does not exist: the engine's reason, nothing charged, the offer free again", async () => {
    const market = await startRealMarket(engine);
    const id = await rentOne(market, { image: "127.0.0.1:9/nobody/nothing", imageTag: "latest" });
    const failed = await reach(market.renter, id, "error", "failed");
    expect(failed.message).toMatch(/cannot be pulled.*connection refused/);
    expect(await db().ledgerMovement.count({ where: { instanceId: id } })).toBe(0);
    await waitUntil(
      "the offer is free",
      async () => (await db().offer.findUniqueOrThrow({ where: { id: market.offerIds[0] ?? "" } })).rentable,
    );
    await waitUntil(
      "nothing is left",
      async () =>
        (await inspect(id)).length === 0 &&
        (await db().hostContainer.count({ where: { instanceId: id } })) === 0,
    );
  });

  it("LIFE-06 a container that ends by itself is an error with its code, and starts again when asked", async () => {
    const market = await startRealMarket(engine);
    const id = await rentOne(market, { useSsh: false, onStartCommand: "sh -c 'echo boot; sleep 2; exit 3'" });
    const ended = await waitUntil("it ended", async () => {
      const { status, message } = await db().instance.findUniqueOrThrow({ where: { id } });
      return status === "error" && message;
    });
    expect(ended).toContain("exit code 3");
    expect(await inspect(id)).toMatchObject([{ isRunning: false, starts: 1 }]);
    await call(market.renter, "POST", `/v0/instances/reboot/${id}`);
    await waitUntil("it ran and ended again", async () => (await inspect(id))[0]?.starts === 2);
    await reach(market.renter, id, "error", "failed");
    await call(market.renter, "DELETE", `/v0/instances/${id}`);
    await untilAgreed("it is gone", market, id, "destroyed");
  });

  it("LIFE-07 of two agents with one data folder the second refuses, and harms nothing", async () => {
    const market = await startRealMarket(engine);
    const id = await rentOne(market);
    await reach(market.renter, id, "running");
    const { dataDir } = market.agent;
    const second = await spawnAgent({ server: market.server.url, socket: engine.socket, dataDir });
    await expect(second.ready).rejects.toThrow(/Another agent uses the folder/);
    expect(second.child.exitCode).toBe(1);
    await untilAgreed("the first goes on", market, id, "running");
    await call(market.renter, "DELETE", `/v0/instances/${id}`);
    await untilAgreed("it is gone", market, id, "destroyed");
  });

  it("LIFE-10 a market that comes back with other rules judges the machine anew", async () => {
    const server = await startRealServer({ ALLOW_CPU_HOSTS: "0" });
    const { userId: ownerId } = await makeAccount();
    const agent = await startAgent({ server: server.url, socket: engine.socket, ownerId });
    expect(agent.log()).toMatch(/not on the market yet: self_test_failed\nThe machine has no GPU/);
    await server.kill("SIGKILL");
    await startRealServer({ PORT: new URL(server.url).port });
    await waitUntil("it is on the market", async () => {
      const { status } = await db().host.findFirstOrThrow({ where: { userId: ownerId } });
      return status === "active";
    });
  });

  it("LIFE-11 thirty at once, created and destroyed twice, leave nothing behind", async () => {
    const market = await startRealMarket(engine, 30);
    const [image = "", imageTag = ""] = TEST_IMAGE.split(":");
    const { templateId } = await makeTemplate(market.renter.userId, {
      image,
      imageTag,
      ports: { "80": "tcp" },
    });
    const rows = () =>
      db().instance.findMany({ where: { userId: market.renter.userId, status: { not: "destroyed" } } });
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(
        market.offerIds.map((offer_id) =>
          call(market.renter, "POST", "/v0/instances/create", {
            offer_id,
            template_id: templateId,
            disk_gb: 1,
          }),
        ),
      );
      const running = await waitUntil(
        "all run",
        async () => {
          const found = await rows();
          return found.every(({ status }) => status === "running") ? found : null;
        },
        90_000,
      );
      const ports = running.flatMap((row) => Object.values(row.ports as Record<string, string>));
      expect(new Set(ports).size).toBe(60);
      await Promise.all(running.map(({ id }) => call(market.renter, "DELETE", `/v0/instances/${id}`)));
      await waitUntil(
        "all offers are free",
        async () =>
          (await db().offer.count({ where: { id: { in: market.offerIds }, rentable: true } })) === 30,
        90_000,
      );
    }
    await waitUntil(
      "nothing is left",
      async () => {
        const left = [
          await engine.podman("ps", "--all", "--quiet", "--filter", "label=berth.agent"),
          await engine.podman("network", "ls", "--quiet", "--filter", "label=berth.agent"),
          await engine.podman("volume", "ls", "--quiet"),
          ...(await readdir(join(market.agent.dataDir, "instances"))),
        ];
        return left.join("") === "";
      },
      90_000,
    );
    expect(await db().hostContainer.count({ where: { host: { userId: market.ownerId } } })).toBe(0);
    expect((await verifyLedger()).findings).toEqual([]);
  }, 400_000);
});
