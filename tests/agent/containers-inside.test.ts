import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeWithEngine } from "../support/describe-with-engine";
import { startTestEngine, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";
import { KeeperBench, makeWish } from "./containers-fixture";

/** CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID NET_BIND_SERVICE, as bits of the kernel's. */
const CAPABILITIES = "00000000000004fb";
/** (2 GiB − 5 %) / 4 slots. */
const MEMORY_BYTES = Math.floor(((2 - 0.1) / 4) * 1024 ** 3);

describeWithEngine("a container from inside", () => {
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

  it("CTR-40 has few capabilities, no new privileges, system calls filtered, no mount of the machine's and no engine's socket", async () => {
    bench.keeper.want([makeWish("inst_in")]);
    const { containerId } = await bench.until("inst_in", "running");
    const status = await bench.run("inst_in", "cat /proc/self/status /proc/1/status");
    expect(status.match(/^CapBnd:\s+(.*)$/gm)).toEqual([
      `CapBnd:\t${CAPABILITIES}`,
      `CapBnd:\t${CAPABILITIES}`,
    ]);
    expect(status.match(/^NoNewPrivs:\t1$/gm)).toHaveLength(2);
    expect(status.match(/^Seccomp:\t2$/gm)).toHaveLength(2);
    expect(await bench.run("inst_in", "id -u")).toBe("0\n");
    expect(await bench.run("inst_in", "mount -t tmpfs none /tmp && echo mounted || true")).not.toContain(
      "mounted\n",
    );
    const sockets = await bench.run(
      "inst_in",
      "find / -xdev -type s; ls /var/run/docker.sock /run/podman || true",
    );
    expect(sockets.match(/^\/.*sock$/gm)).toBeNull();
    const info = await bench.docker.getContainer(containerId ?? "").inspect();
    expect(info.HostConfig).toMatchObject({ Privileged: false, Binds: [] });
    expect(info.Mounts).toEqual([]);
    expect([info.HostConfig.PidMode, info.HostConfig.NetworkMode, info.HostConfig.IpcMode]).not.toContain(
      "host",
    );
  });

  it("CTR-41 has its slot's share of memory, processor time and processes, and no more", async () => {
    bench.keeper.want([makeWish("inst_share")]);
    const { containerId } = await bench.until("inst_share", "running");
    const { HostConfig } = await bench.docker.getContainer(containerId ?? "").inspect();
    expect(HostConfig.Memory).toBe(MEMORY_BYTES);
    expect(HostConfig.PidsLimit).toBe(4096);
    expect([HostConfig.NanoCpus, HostConfig.CpuQuota]).toContain(HostConfig.NanoCpus ? 500_000_000 : 50_000);
    const shared = await bench.run("inst_share", "df -k /dev/shm | tail -1");
    // In whole pages.
    expect(Math.abs(Number(shared.split(/\s+/)[1]) - MEMORY_BYTES / 2 / 1024)).toBeLessThan(5);
    const limit = await bench.run(
      "inst_share",
      "cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null || cat /sys/fs/cgroup/memory.max",
    );
    expect(Math.abs(Number(limit) - MEMORY_BYTES)).toBeLessThan(4096);
  });

  it("CTR-42 runs its command with the output in the logs, stays up when it fails, and leaves no zombies", async () => {
    const command = "echo to-stdout; echo to-stderr >&2; (sleep 0 & exec sleep 0) & exit 3";
    bench.keeper.want([makeWish("inst_command", { command })]);
    const { containerId } = await bench.until("inst_command", "running");
    const logs = await waitUntil("the command has ended", async () => {
      const { stdout, stderr } = await logsOf(containerId ?? "");
      return stderr.includes("exit code 3") ? { stdout, stderr } : null;
    });
    expect(logs.stdout).toBe("to-stdout\n");
    expect(logs.stderr).toContain("to-stderr\n");
    await waitUntil("nothing is a zombie", async () => {
      const states = await bench.run("inst_command", "grep -h State /proc/[0-9]*/status");
      return !states.includes("zombie");
    });
    expect(bench.seen("inst_command")?.state).toBe("running");
  });

  it("CTR-43 says where there is no Jupyter, starts it where there is, in the folder asked for", async () => {
    const jupyter = { useSsh: false, useJupyter: true, useJupyterLab: true, jupyterDirectory: "/work/books" };
    const fake = `printf '#!/bin/sh\\necho "$@ in $(pwd) with $JUPYTER_TOKEN"\\nexec httpd -f -p 8888 -h /work\\n' > /tmp/fake; chmod +x /tmp/fake; mv /tmp/fake /bin/jupyter`;
    bench.keeper.want([makeWish("inst_book", { ...jupyter, command: fake })]);
    const { containerId, uiUrl, ports } = await bench.until("inst_book", "running");
    expect(uiUrl).toMatch(new RegExp(`^http://203\\.0\\.113\\.9:${ports["8888"]}/lab\\?token=[0-9a-f]{64}$`));
    await waitUntil("it says so", async () => {
      const { stdout, stderr } = await logsOf(containerId ?? "");
      return stderr.includes("there is no Jupyter") || stdout.includes("in /work/books");
    });
    bench.keeper.want([makeWish("inst_book", { ...jupyter, command: fake }, { boot: 2 })]);
    await bench.until("inst_book", "running", 2);
    const token = new URL(uiUrl ?? "").searchParams.get("token");
    await waitUntil("it starts", async () =>
      (await logsOf(containerId ?? "")).stdout.includes(
        `lab --ip=0.0.0.0 --port=8888 --no-browser --allow-root in /work/books with ${token}`,
      ),
    );
    expect(await bench.run("inst_book", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).not.toContain(token);
    await waitUntil("it answers", async () =>
      fetch(`http://127.0.0.1:${ports["8888"]}/`, { signal: AbortSignal.timeout(2000) }).then(
        () => true,
        () => false,
      ),
    );
  });

  it("CTR-44 ends at once when it is stopped, whatever runs in it", async () => {
    const wish = makeWish("inst_quick", { command: "trap '' TERM; while :; do sleep 1; done" });
    bench.overrides = { graceSeconds: 600 };
    await bench.restart();
    bench.keeper.want([wish]);
    await bench.until("inst_quick", "running");
    await waitUntil("the command runs", async () =>
      (await bench.run("inst_quick", "ps")).includes("sleep 1"),
    );
    bench.keeper.want([{ ...wish, wanted: "paused" }]);
    await bench.until("inst_quick", "stopped");
  });

  it("CTR-45 says that memory ran out where that ended it", async () => {
    bench.overrides = { slots: 64 };
    await bench.restart();
    bench.keeper.want([
      makeWish("inst_oom", { useSsh: false, command: "dd if=/dev/zero of=/dev/null bs=512M count=1" }),
    ]);
    const { message } = await bench.until("inst_oom", "exited");
    expect(message).toMatch(/out of memory/);
  });

  async function logsOf(containerId: string): Promise<{ stdout: string; stderr: string }> {
    const bytes = await bench.docker.getContainer(containerId).logs({ stdout: true, stderr: true });
    const logs = { stdout: "", stderr: "" };
    for (let at = 0; at + 8 <= bytes.length; ) {
      const size = bytes.readUInt32BE(at + 4);
      logs[bytes[at] === 2 ? "stderr" : "stdout"] += bytes.toString("utf8", at + 8, at + 8 + size);
      at += 8 + size;
    }
    return logs;
  }
});
