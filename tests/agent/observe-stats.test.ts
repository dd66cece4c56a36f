import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StatsReader } from "@/agent/observe/container-stats";
import { GpuLoad } from "@/agent/observe/gpu-load";
import { programRunner } from "@/agent/probe/run-program";
import { containerStats } from "@/lib/contract/agent-protocol";
import { describeWithEngine } from "../support/describe-with-engine";
import { startTestEngine, TEST_IMAGE, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "p-stats-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function gpuLoad(scripts: Record<string, string>, keepMs = 60_000): Promise<GpuLoad> {
  const bin = await mkdtemp(join(folder, "bin-"));
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return new GpuLoad({
    run: programRunner({ ...process.env, PATH: `${bin}:/bin:/usr/bin` }),
    keepMs,
  });
}

/**
 * An engine that answers stats one after the other, as engines of other versions than the installed one write them.
 * @param inspected the containers' first processes, likewise
 */
async function answering(
  answers: unknown[],
  inspected = [SLOT.pid],
): Promise<{ docker: Docker; server: Server }> {
  const socketPath = join(await mkdtemp(join(folder, "engine-")), "engine.sock");
  const next = <T>(values: T[]) => (values.length > 1 ? values.shift() : values[0]);
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", "application/json");
    const answer = url?.endsWith("/json") ? { State: { Pid: next(inspected) } } : next(answers);
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return { docker: new Docker({ socketPath }), server };
}

const dockerStats = (cpuNs: number, rx: number, memory: object) => ({
  read: "2026-11-21T10:32:45.866930524Z",
  cpu_stats: {
    cpu_usage: { total_usage: cpuNs, usage_in_kernelmode: 0 },
    online_cpus: 2,
    system_cpu_usage: 1,
  },
  memory_stats: memory,
  networks: { eth0: { rx_bytes: rx, rx_packets: 1, tx_bytes: rx * 2 }, eth1: { rx_bytes: 1, tx_bytes: 1 } },
});
const SLOT = { id: "abc", pid: 7, instanceId: "inst_1", gpuUuids: [], cpus: 1 };

describe("formats", () => {
  test.each([
    ["cgroup v2", { usage: 600, limit: 1000, stats: { inactive_file: 100, anon: 500 } }, 50],
    ["cgroup v1", { usage: 600, limit: 1000, stats: { total_inactive_file: 350, inactive_file: 1 } }, 25],
    ["Podman", { usage: 600, limit: 1000 }, 60],
    ["more cache than use", { usage: 100, limit: 1000, stats: { inactive_file: 200 } }, 0],
    ["no limit", { usage: 600, limit: 1.8446744073709552e19 }, 0],
  ])("PRB-13 reads memory of %s without what the kernel gives back", async (_, memory, ramUtil) => {
    const { docker, server } = await answering([dockerStats(1, 1, memory)]);
    const reader = new StatsReader({ docker, gpuLoad: await gpuLoad({}) });
    expect(await reader.read(SLOT)).toBeNull();
    expect(containerStats.parse(await reader.read(SLOT))).toMatchObject({ ramUtil, gpuUtil: 0 });
    server.close();
  });

  test("PRB-14 counts traffic over restarts and new containers, never backwards", async () => {
    const memory = { usage: 1, limit: 10 };
    const stopped = { cpu_stats: { cpu_usage: { total_usage: 0 } }, memory_stats: {}, networks: null };
    const silent = (cpuNs: number) => ({ ...dockerStats(cpuNs, 0, memory), networks: null });
    const { docker, server } = await answering(
      [
        dockerStats(900, 99, memory),
        stopped,
        dockerStats(901, 199, memory),
        silent(902),
        dockerStats(903, 299, memory),
        dockerStats(904, 399, memory),
        dockerStats(904, 399, memory),
        silent(100),
        dockerStats(200, 299, memory),
        dockerStats(300, 9, memory),
      ],
      [7, 0, 8, 8, 8, 9, 9],
    );
    const reader = new StatsReader({ docker, gpuLoad: await gpuLoad({}) });
    const second = { ...SLOT, pid: 8 };
    const third = { ...SLOT, id: "def", pid: 9 };
    expect(await reader.read(SLOT)).toBeNull();
    expect(await reader.read(SLOT)).toBeNull();
    // Another run, of which every counter is ahead of the one before already.
    expect(await reader.read(second)).toMatchObject({ inetIn: 100 + 200, inetOut: 199 + 399 });
    expect(await reader.read(second)).toMatchObject({ inetIn: 100 + 200 });
    expect(await reader.read(second)).toMatchObject({ inetIn: 100 + 300 });
    // Counters of a run that is not the one that is asked for.
    expect(await reader.read(second)).toBeNull();
    expect(await reader.read(third)).toMatchObject({ inetIn: 100 + 300 + 400 });
    // A new network within one run.
    expect(await reader.read(third)).toMatchObject({ inetIn: 100 + 300 + 400 });
    expect(await reader.read(third)).toMatchObject({ inetIn: 100 + 300 + 400 + 300 });
    expect(await reader.read(third)).toMatchObject({ inetIn: 100 + 300 + 400 + 300 + 10 });
    reader.forget("inst_1");
    expect(await reader.read(third)).toBeNull();
    server.close();
  });
});

describe("GPUs", () => {
  test("PRB-15 is the mean of the slot's GPUs, and the driver is asked once for all", async () => {
    const asked = join(folder, "asked");
    const load = await gpuLoad({
      "nvidia-smi": `echo asked >> ${asked}; echo "GPU-1, 90, 12282, 24564"; echo "GPU-2, 31, 0, 24564"; echo "GPU-3, [N/A], [N/A], [N/A]"`,
      "rocm-smi": `echo '{"card0": {"Unique ID": "0xa1", "GPU use (%)": "42", "VRAM Total Memory (B)": "1000", "VRAM Total Used Memory (B)": "250"}}'`,
    });
    const { docker, server } = await answering([dockerStats(1, 1, { usage: 1, limit: 10 })]);
    const reader = new StatsReader({ docker, gpuLoad: load });
    const read = (gpuUuids: string[]) => reader.read({ ...SLOT, gpuUuids });
    await read([]);
    expect(await read(["GPU-1", "GPU-2"])).toMatchObject({ gpuUtil: 60.5, memUtil: 25 });
    expect(await read(["GPU-1"])).toMatchObject({ gpuUtil: 90, memUtil: 50 });
    expect(await read(["GPU-3"])).toMatchObject({ gpuUtil: 0, memUtil: 0 });
    expect(await read(["0xa1", "gone"])).toMatchObject({ gpuUtil: 21, memUtil: 12.5 });
    expect(await readFile(asked, "utf8")).toBe("asked\n");
    server.close();
  });

  test("PRB-15 a driver that breaks later is no load, and no error", async () => {
    expect(await (await gpuLoad({ "nvidia-smi": "echo broken; exit 9" })).read()).toEqual(new Map());
  });
});

describeWithEngine("on a real engine", () => {
  let engine: TestEngine;
  let docker: Docker;
  beforeAll(async () => {
    engine = await startTestEngine();
    docker = new Docker({ socketPath: engine.socket });
  });
  afterAll(() => engine.remove());

  async function start(command: string) {
    const container = await docker.createContainer({
      Image: TEST_IMAGE,
      Cmd: ["sh", "-c", command],
      ExposedPorts: { "8000/tcp": {} },
      HostConfig: {
        Memory: 64 * 1024 * 1024,
        PortBindings: { "8000/tcp": [{ HostIp: "127.0.0.1", HostPort: "" }] },
      },
    });
    await container.start();
    return container;
  }

  test("PRB-16 a busy loop shows as CPU of the slot, memory against the limit", async () => {
    const container = await start(
      "dd if=/dev/zero of=/dev/shm/ballast bs=1M count=32 2>/dev/null; while true; do :; done",
    );
    const reader = new StatsReader({ docker, gpuLoad: await gpuLoad({}) });
    const slot = { ...(await runOf(container)), instanceId: "inst_busy", gpuUuids: [], cpus: 0.5 };
    const seen = await waitUntil("load is seen", async () => {
      await sleep(300);
      const stats = await reader.read(slot);
      return stats && stats.cpuUtil > 30 && stats.ramUtil > 40 ? stats : null;
    });
    expect(containerStats.parse(seen).ramUtil).toBeLessThan(90);
    await container.remove({ force: true });
    expect(await reader.read(slot)).toBeNull();
  });

  test("PRB-17 traffic in and out is counted, and goes on after a restart", async () => {
    const container = await start("while true; do nc -l -p 8000 > /dev/null; done");
    const reader = new StatsReader({ docker, gpuLoad: await gpuLoad({}) });
    const inst = { instanceId: "inst_net", gpuUuids: [], cpus: 1 };
    const slot = { ...(await runOf(container)), ...inst };
    await reader.read(slot);
    const MEGABYTE = 1_000_000;
    await send(await portOf(container), MEGABYTE);
    const first = await waitUntil("a megabyte came in", async () => {
      const stats = await reader.read(slot);
      return stats && stats.inetIn >= MEGABYTE ? stats : null;
    });
    expect(first.inetIn).toBeLessThan(2 * MEGABYTE);
    expect(first.inetOut).toBeGreaterThan(0);
    expect(first.inetOut).toBeLessThan(MEGABYTE / 2);

    await container.stop({ t: 0 });
    expect(await reader.read(slot)).toBeNull();
    await container.start();
    const again = { ...(await runOf(container)), ...inst };
    await send(await portOf(container), MEGABYTE);
    const second = await waitUntil("another megabyte came in", async () => {
      const stats = await reader.read(again);
      return stats && stats.inetIn >= 2 * MEGABYTE ? stats : null;
    });
    expect(second.inetIn).toBeLessThan(3 * MEGABYTE);
    await container.remove({ force: true });
  });
});

async function runOf(container: Docker.Container): Promise<{ id: string; pid: number }> {
  const { Id, State } = await container.inspect();
  return { id: Id, pid: State.Pid };
}

async function portOf(container: Docker.Container): Promise<number> {
  const port = (await container.inspect()).NetworkSettings.Ports["8000/tcp"]?.[0]?.HostPort;
  return Number(port);
}

async function send(port: number, bytes: number): Promise<void> {
  await waitUntil("it was sent", () => {
    const client = connect(port, "127.0.0.1");
    return new Promise<boolean>((resolve) => {
      client.once("error", () => resolve(false));
      client.once("connect", () => client.end(Buffer.alloc(bytes), () => resolve(true)));
    });
  });
}
