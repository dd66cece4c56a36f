import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeWithEngine } from "../support/describe-with-engine";
import { startTestEngine, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";
import { KeeperBench, makeWish } from "./containers-fixture";

describeWithEngine("the life of a container", () => {
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

  it("CTR-01 runs, pauses with its disk kept, starts, reboots and is destroyed with nothing left", async () => {
    const wish = makeWish("inst_life", { ports: { "8080": "tcp" }, variables: { COLOUR: "blue" } });
    bench.keeper.want([wish]);
    const running = await bench.until("inst_life", "running");
    expect(running).toMatchObject({ boot: 1, address: "203.0.113.9", uiUrl: null });
    expect(running.ports["22"]).toBe(String(running.sshPort));
    expect(await bench.run("inst_life", 'echo "$COLOUR $BERTH_INSTANCE_ID"; echo kept > /root/file')).toBe(
      "blue inst_life\n",
    );

    bench.keeper.want([{ ...wish, wanted: "paused" }]);
    const stopped = await bench.until("inst_life", "stopped");
    expect(stopped).toMatchObject({ containerId: running.containerId, ports: running.ports });

    bench.keeper.want([wish]);
    await bench.until("inst_life", "running");
    expect(await bench.run("inst_life", "cat /root/file; sleep 77 >/dev/null 2>&1 &")).toBe("kept\n");

    bench.keeper.want([{ ...wish, boot: 2 }]);
    const rebooted = await bench.until("inst_life", "running", 2);
    expect(rebooted).toMatchObject({ containerId: running.containerId, ports: running.ports });
    expect(await bench.run("inst_life", "cat /root/file; ps | grep -c '[s]leep 77' || true")).toBe(
      "kept\n0\n",
    );

    bench.keeper.want([{ ...wish, boot: 2, wanted: "destroyed" }]);
    await bench.until("inst_life", "gone");
    expect(await bench.everything()).toEqual([]);
    expect(await readdir(join(bench.folder, "instances"))).toEqual([]);
  });

  it("CTR-02 keeps one container of an instance however often the same is wished", async () => {
    const wish = makeWish("inst_again");
    for (let time = 0; time < 20; time += 1) bench.keeper.want([{ ...wish }]);
    const { containerId } = await bench.until("inst_again", "running");
    for (let time = 0; time < 5; time += 1) {
      bench.keeper.want([wish]);
      bench.keeper.look();
    }
    await waitUntil("it still runs", async () => bench.seen("inst_again")?.state === "running");
    const { length, 0: only } = await bench.docker.listContainers({ all: true });
    expect([length, only?.Id]).toEqual([1, containerId]);
  });

  it("CTR-03 removes what nobody wants, and touches nothing before it has heard what is wanted", async () => {
    bench.keeper.want([makeWish("inst_kept"), makeWish("inst_orphan", {}, { slot: 1 })]);
    await Promise.all([bench.until("inst_kept", "running"), bench.until("inst_orphan", "running")]);
    await bench.restart();
    bench.keeper.look();
    expect(await bench.docker.listContainers()).toHaveLength(2);
    bench.keeper.want([makeWish("inst_kept")]);
    await waitUntil(
      "the orphan is gone",
      async () => (await bench.docker.listContainers({ all: true })).length === 1,
    );
    await bench.until("inst_kept", "running");
    await waitUntil("nobody speaks of it", async () => bench.keeper.kept().length === 1);
    expect(await readdir(join(bench.folder, "instances"))).toEqual(["inst_kept.json"]);
  });

  it("CTR-04 says at once that a container ended by itself, with its exit code, and starts it when another boot is wished", async () => {
    const wish = makeWish("inst_exit", {
      useSsh: false,
      command: "sh -c 'test -e /root/once && exec sleep 1000; touch /root/once; exit 7'",
    });
    bench.keeper.want([wish]);
    const exited = await bench.until("inst_exit", "exited");
    expect(exited.message).toContain("exit code 7");
    bench.keeper.want([{ ...wish, boot: 2 }]);
    await bench.until("inst_exit", "running", 2);
  });

  it("CTR-05 keeps its records to itself", async () => {
    bench.keeper.want([makeWish("inst_mode", { variables: { SECRET: "hidden-value" } })]);
    await bench.until("inst_mode", "running");
    const file = join(bench.folder, "instances", "inst_mode.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).not.toContain("hidden-value");
    expect(bench.log).not.toContain("hidden-value");
  });
});
