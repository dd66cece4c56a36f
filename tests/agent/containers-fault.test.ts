import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Wish } from "../../lib/contract/agent-protocol";
import { describeWithEngine } from "../support/describe-with-engine";
import { startTestEngine, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";
import { KeeperBench, makeWish } from "./containers-fixture";

/** A process of its own has the bench's folder instead of its keeper, and ends itself by SIGKILL at its n-th call to the engine. */
async function killAfter(bench: KeeperBench, wish: Wish, calls: number): Promise<void> {
  const { folder, agentId, engine, ports } = bench;
  await bench.keeper.stop();
  const given = JSON.stringify({ folder, agentId, ports, socket: engine.socket, wishes: [wish], calls });
  const args = ["--import", "tsx", "tests/agent/keeper-victim.ts", given];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const signal = await new Promise((resolve) => child.once("exit", (_code, by) => resolve(by)));
  expect(signal).toBe("SIGKILL");
}

describeWithEngine("faults around containers", () => {
  let engine: TestEngine;
  let bench: KeeperBench;
  beforeAll(async () => {
    engine = await startTestEngine();
  });
  afterAll(() => engine.remove());
  beforeEach(async () => {
    bench = await new KeeperBench(engine).open();
  });
  afterEach(() => bench.close());

  it("CTR-10 ends in one running container wherever the agent was killed while making it", async () => {
    for (let calls = 3; calls <= 11; calls += 1) {
      const id = `inst_kill${calls}`;
      const wish = makeWish(id, { ports: { "8080": "tcp" } });
      await killAfter(bench, wish, calls);
      await bench.restart();
      bench.keeper.want([wish]);
      await bench.until(id, "running");
      expect(await bench.docker.listContainers({ all: true })).toHaveLength(1);
      await killAfter(bench, { ...wish, boot: 2 }, calls);
      await bench.restart();
      bench.keeper.want([{ ...wish, boot: 2 }]);
      await bench.until(id, "running", 2);
      await killAfter(bench, { ...wish, wanted: "destroyed" }, calls);
      await bench.restart();
      bench.keeper.want([{ ...wish, wanted: "destroyed" }]);
      await bench.until(id, "gone");
      expect(await bench.everything()).toEqual([]);
      bench.keeper.want([]);
    }
  }, 400_000);

  it("CTR-11 calls nothing exited or failed while the engine is away, and goes on when it is back", async () => {
    const states = new Set<string>();
    const wish = makeWish("inst_away");
    bench.keeper.onChange(() => states.add(bench.seen("inst_away")?.state ?? ""));
    const steps = [
      { ...wish },
      { ...wish, wanted: "paused" as const },
      { ...wish },
      { ...wish, boot: 2 },
      { ...wish, boot: 2, wanted: "destroyed" as const },
    ];
    const ends = ["running", "stopped", "running", "running", "gone"];
    for (const [at, step] of steps.entries()) {
      bench.keeper.want([step]);
      await engine.stop();
      bench.keeper.look();
      await waitUntil("it is noticed", async () => !bench.keeper.engineAvailable);
      await engine.start();
      await waitUntil("it is back", async () => bench.keeper.engineAvailable);
      await bench.until("inst_away", ends[at] ?? "", at < 3 ? 1 : undefined);
      if (at === 3) await bench.until("inst_away", "running", 2);
    }
    expect([...states]).not.toContain("exited");
    expect([...states]).not.toContain("failed");
    expect(await bench.everything()).toEqual([]);
  });

  it("CTR-12 starts again what ended while the engine was away", async () => {
    bench.keeper.want([makeWish("inst_back")]);
    const { containerId } = await bench.until("inst_back", "running");
    await engine.stop();
    bench.keeper.look();
    await waitUntil("it is noticed", async () => !bench.keeper.engineAvailable);
    await engine.podman("kill", containerId ?? "");
    await engine.start();
    await waitUntil("it runs again", async () => (await bench.docker.listContainers()).length === 1);
    expect((await bench.until("inst_back", "running")).containerId).toBe(containerId);
  });

  it("CTR-13 gives another port where a program has taken the one that was given out", async () => {
    const wish = makeWish("inst_port", { useSsh: false, ports: { "8080": "tcp" } }, { wanted: "running" });
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(bench.ports.first, "0.0.0.0", resolve));
    try {
      bench.keeper.want([wish]);
      const { ports } = await bench.until("inst_port", "running");
      expect(ports).toEqual({ "8080": String(bench.ports.first + 1) });
    } finally {
      taken.close();
    }
  });

  it("CTR-17 makes the container anew with another port where the engine finds the port taken at the start", async () => {
    const wish = makeWish("inst_late", { useSsh: false, ports: { "8080": "tcp" } });
    const taken = createServer();
    bench.keeper.onChange(() => {
      if (bench.seen("inst_late")?.state === "pulling" && !taken.listening)
        taken.listen(bench.ports.first, "0.0.0.0");
    });
    try {
      bench.keeper.want([wish]);
      const { ports } = await bench.until("inst_late", "running");
      expect(ports).toEqual({ "8080": String(bench.ports.first + 1) });
      expect(await bench.docker.listContainers({ all: true })).toHaveLength(1);
    } finally {
      taken.close();
    }
  });

  it("CTR-18 says of what ended by itself while no agent ran that it exited, and of what it was pausing when killed that it stopped", async () => {
    const wish = makeWish("inst_alone");
    bench.keeper.want([wish]);
    const { containerId } = await bench.until("inst_alone", "running");
    for (let calls = 3; calls <= 6; calls += 1) {
      await killAfter(bench, { ...wish, wanted: "paused" }, calls);
      await bench.restart();
      bench.keeper.want([{ ...wish, wanted: "paused" }]);
      await bench.until("inst_alone", "stopped");
      await killAfter(bench, wish, calls);
      await bench.restart();
      bench.keeper.want([wish]);
      expect((await bench.until("inst_alone", "running")).containerId).toBe(containerId);
    }
    await bench.keeper.stop();
    await engine.podman("kill", containerId ?? "");
    await bench.restart();
    bench.keeper.want([wish]);
    expect((await bench.until("inst_alone", "exited")).message).toContain("137");
    bench.keeper.want([{ ...wish, boot: 2 }]);
    await bench.until("inst_alone", "running", 2);
  });

  it("CTR-14 thaws a container that stands still, and destroys one", async () => {
    const wish = makeWish("inst_frozen");
    bench.keeper.want([wish]);
    const { containerId } = await bench.until("inst_frozen", "running");
    const container = bench.docker.getContainer(containerId ?? "");
    await container.pause();
    bench.keeper.look();
    await waitUntil("it goes on", async () => !(await container.inspect()).State.Paused);
    await container.pause();
    bench.keeper.want([{ ...wish, wanted: "paused" }]);
    await bench.until("inst_frozen", "stopped");
    bench.keeper.want([wish]);
    await bench.until("inst_frozen", "running");
    await container.pause();
    bench.keeper.want([{ ...wish, wanted: "destroyed" }]);
    await bench.until("inst_frozen", "gone");
    expect(await bench.everything()).toEqual([]);
  });

  it("CTR-63 goes on with what the engine was stopping when it was killed", async () => {
    const wish = makeWish("inst_half", { useSsh: false, command: `sh -c "trap '' TERM; sleep 1000"` });
    const paused = { ...wish, wanted: "paused" as const };
    bench.keeper.want([wish]);
    const { containerId } = await bench.until("inst_half", "running");
    const engineDiesStopping = async (wanted: Wish) => {
      bench.overrides = { graceSeconds: 60 };
      await bench.restart();
      bench.keeper.want([wanted]);
      await waitUntil("it is being stopped", async () => {
        const { State } = await bench.docker.getContainer(containerId ?? "").inspect();
        return State.Status === "stopping";
      });
      await engine.stop();
      await engine.start();
      bench.overrides = { graceSeconds: 1 };
      await bench.restart();
    };
    await engineDiesStopping(paused);
    bench.keeper.want([paused]);
    await bench.until("inst_half", "stopped");
    bench.keeper.want([wish]);
    await bench.until("inst_half", "running");
    await engineDiesStopping({ ...wish, boot: 2 });
    bench.keeper.want([{ ...wish, boot: 2 }]);
    expect((await bench.until("inst_half", "running", 2)).containerId).toBe(containerId);
    await engineDiesStopping({ ...paused, boot: 2 });
    bench.keeper.want([{ ...wish, wanted: "destroyed" }]);
    await bench.until("inst_half", "gone");
    expect(await bench.everything()).toEqual([]);
  });

  it("CTR-64 gets where it is wanted whenever the engine was killed over it", async () => {
    const made = new Set<string>();
    for (const afterMs of [0, 60, 120, 180, 260, 360, 500]) {
      const id = `inst_blow${afterMs}`;
      const wish = makeWish(id, { ports: { "8080": "tcp" } });
      const steps: [wish: Wish, end: string, boot?: number][] = [
        [wish, "running", 1],
        [{ ...wish, wanted: "paused" }, "stopped"],
        [wish, "running", 1],
        [{ ...wish, boot: 2 }, "running", 2],
        [{ ...wish, boot: 2, wanted: "destroyed" }, "gone"],
      ];
      for (const [wanted, end, boot] of steps) {
        bench.keeper.want([wanted]);
        await sleep(afterMs);
        await engine.stop();
        await engine.start();
        const { containerId } = await bench.until(id, end, boot);
        if (containerId) made.add(containerId);
      }
      expect(await bench.everything()).toEqual([]);
      expect(await engine.podman("ps", "--all", "--external", "--quiet")).toBe("");
    }
    const known = await readdir("/run/runc");
    expect(known.filter((containerId) => made.has(containerId))).toEqual([]);
  }, 400_000);

  it("CTR-15 says why a container cannot start, and leaves it until something else is wished", async () => {
    const wish = makeWish("inst_bad", { useSsh: false, command: "/no/such/program" });
    bench.keeper.want([wish]);
    const { message } = await bench.until("inst_bad", "failed");
    expect(message).toContain("/no/such/program");
    bench.keeper.look();
    bench.keeper.want([{ ...wish, wanted: "destroyed" }]);
    await bench.until("inst_bad", "gone");
    expect(await bench.everything()).toEqual([]);
  });

  it("CTR-16 takes up a container whose record is lost, with its ports", async () => {
    const wish = makeWish("inst_lost", { ports: { "8080": "tcp" } });
    bench.keeper.want([wish]);
    const { ports, containerId } = await bench.until("inst_lost", "running");
    await bench.loseRecords();
    bench.keeper.want([wish]);
    expect(await bench.until("inst_lost", "running")).toMatchObject({ ports, containerId });
  });
});
