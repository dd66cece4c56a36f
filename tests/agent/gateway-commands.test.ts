import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ssh2, { type ClientChannel } from "ssh2";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeWithEngine } from "../support/describe-with-engine";
import { waitUntil } from "../support/wait-until";
import { type GatewayWorld, runProgram, startContainer, startGatewayWorld } from "./gateway-fixture";

describeWithEngine("commands and shells through the gateway", () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld();
  });
  afterAll(() => world.remove());
  let first: GatewayWorld["state"]["container"];
  beforeEach(() => {
    first ??= world.state.container;
    world.state.container = first;
  });

  const dial = async () => {
    const client = new ssh2.Client();
    client.on("error", () => undefined);
    const privateKey = await readFile(join(world.folder, "id"));
    client.connect({ host: "127.0.0.1", port: world.port, username: "root", privateKey });
    await once(client, "ready");
    return client;
  };
  const isRunning = async (what: string) => (await world.ssh("ps")).stdout.toString().includes(what);
  const open = (command: string) =>
    spawn("ssh", [
      ...[...world.options, "-i", join(world.folder, "id"), "-p", String(world.port)],
      ...["root@127.0.0.1", command],
    ]);

  it("GW-12 gives back a command's output, its errors apart, and its exit code", async () => {
    const ended = await world.ssh("echo out; echo err >&2; exit 7");
    expect({ ...ended, stdout: ended.stdout.toString() }).toEqual({
      code: 7,
      stdout: "out\n",
      stderr: "err\n",
    });
    expect((await world.ssh("kill -9 $$")).code).toBe(137);
    expect((await world.ssh("no-such-program")).code).toBe(127);
    expect((await world.ssh(`printf '%s|' "a b" 'c' \\$x; pwd`)).stdout.toString()).toBe("a b|c|$x|/root\n");
  });

  it("GW-13 carries 3 MB of any bytes both ways unharmed, and the end of input", async () => {
    const data = randomBytes(3 * 1024 * 1024);
    const back = await world.ssh("cat", data);
    expect(back.stdout.equals(data)).toBe(true);
    expect(back.code).toBe(0);
    expect((await world.ssh("cat; echo end", "a")).stdout.toString()).toBe("aend\n");
    const both = await world.ssh("head -c 2000000 /dev/zero >&2; head -c 2000000 /dev/zero", "");
    expect([both.stdout.length, both.stderr.length]).toEqual([2_000_000, 2_000_000]);
  });

  it("GW-14 sets the variables that the client sends, and none with a malformed name", async () => {
    const { stdout } = await world.client("ssh", [
      ...["-o", "SetEnv=LC_TEST='a b;$(id)' OTHER=2 A.B=3"],
      ...["root@127.0.0.1", "echo $LC_TEST $OTHER; env"],
    ]);
    expect(stdout.toString()).toMatch(/^'?a b;\$\(id\)'? 2\n/);
    expect(stdout.toString()).not.toContain("A.B");
    expect(stdout.toString()).toContain("SSH_CONNECTION=127.0.0.1 ");
  });

  it("GW-15 gives a login shell a terminal of the client's size, which follows it", async () => {
    const client = await dial();
    const shell = await new Promise<ClientChannel>((resolve, reject) =>
      client.shell({ rows: 33, cols: 111, term: "vt220" }, (error, channel) =>
        error ? reject(error) : resolve(channel),
      ),
    );
    let seen = "";
    shell.on("data", (data: Buffer) => {
      seen += data.toString();
    });
    shell.write("stty size; echo $TERM\n");
    await waitUntil("the size", async () => seen.includes("33 111") && seen.includes("vt220"));
    shell.setWindow(44, 122, 0, 0);
    shell.write("stty size\n");
    await waitUntil("the new size", async () => seen.includes("44 122"));
    shell.write("exit 3\n");
    const [code] = await once(shell, "exit");
    expect(code).toBe(3);
    client.end();
    const ended = await world.client("ssh", ["-tt", "root@127.0.0.1"], "echo hi\n");
    expect(ended.code).toBe(0);
  });

  it("GW-16 serves 20 sessions at once", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => world.ssh(`echo ${i}; exit ${i}`)));
    expect(all.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(all.map(({ stdout }) => Number(stdout.toString()))).toEqual(
      Array.from({ length: 20 }, (_, i) => i),
    );
  });

  it("GW-17 keeps nothing of what a slow client does not take", async () => {
    const client = await dial();
    const channel = await new Promise<ClientChannel>((resolve, reject) =>
      client.exec("head -c 100000000 /dev/zero; echo >&2 done; exit 5", (error, each) =>
        error ? reject(error) : resolve(each),
      ),
    );
    await waitUntil("the writer waits", async () => channel.readableLength >= 1024 * 1024);
    const before = process.memoryUsage().rss;
    // Each look goes through the gateway itself: it had time to pile up what it would.
    for (let look = 0; look < 5; look++) expect(await isRunning("head -c 100000000")).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024);
    let length = 0;
    channel.on("data", (data: Buffer) => {
      length += data.length;
    });
    const [code] = await once(channel, "close");
    expect([length, code]).toEqual([100_000_000, 5]);
    client.end();
  });

  it("GW-18 leaves no process when the client goes, whether or not it reads its input", async () => {
    const names = ["sleep 4321", "sleep 4322"];
    const idle = open(names[0] ?? "");
    const full = open(`${names[1]}; cat`);
    full.stdin.on("error", () => undefined);
    full.stdin.write(Buffer.alloc(16 * 1024 * 1024));
    for (const name of names) await waitUntil(name, () => isRunning(name));
    idle.kill("SIGKILL");
    full.kill("SIGKILL");
    for (const name of names) await waitUntil(`no ${name}`, async () => !(await isRunning(name)));
  });

  it("GW-19 lets what was made to outlive its session do so", async () => {
    const client = open("(trap '' HUP; exec sleep 4323 >/dev/null 2>&1) & sleep 4324");
    await waitUntil("sleeps", async () => (await isRunning("sleep 4323")) && (await isRunning("sleep 4324")));
    client.kill("SIGKILL");
    await waitUntil("one ends", async () => !(await isRunning("sleep 4324")));
    expect(await isRunning("sleep 4323")).toBe(true);
  });

  it("GW-20 passes signals on", async () => {
    const client = await dial();
    const channel = await new Promise<ClientChannel>((resolve, reject) =>
      client.exec("trap 'echo got; exit 9' USR1; echo ready; while :; do sleep 0.1; done", (error, each) =>
        error ? reject(error) : resolve(each),
      ),
    );
    let seen = "";
    channel.on("data", (data: Buffer) => {
      seen += data.toString();
    });
    await waitUntil("ready", async () => seen.includes("ready"));
    channel.signal("USR1");
    const [code] = await once(channel, "close");
    expect([seen, code]).toEqual(["ready\ngot\n", 9]);
    client.end();
  });

  it("GW-21 says so where no container runs, and ends what is open when it is stopped", async () => {
    world.state.container = null;
    const ended = await world.ssh("echo in");
    expect(ended.stderr).toContain("The instance is not running");
    expect(ended.code).toBe(1);
    const { container, place } = await startContainer(world.docker, "localhost/berth-test:latest");
    world.state.container = place;
    const stopped = open("sleep 4325");
    await waitUntil("sleep", () => isRunning("sleep 4325"));
    const closed = once(stopped, "close");
    await container.stop({ t: 0 });
    const [code] = await closed;
    expect(code).toBeGreaterThan(0);
    world.state.container = first;
    const cut = open("sleep 4326");
    await waitUntil("sleep", () => isRunning("sleep 4326"));
    world.gateway.disconnect("inst_gateway");
    expect((await once(cut, "close"))[0]).toBe(255);
    await waitUntil("no sleep", async () => !(await isRunning("sleep 4326")));
    await container.remove({ force: true });
  });

  it("GW-22 says so where the image has no shell", async () => {
    const folder = join(world.folder, "bare");
    await world.client("scp", ["root@127.0.0.1:/bin/busybox", folder]);
    const script =
      'mkdir -p "$1.d/bin" && install -m 755 "$1" "$1.d/bin/sleep" && tar -C "$1.d" -cf "$1.tar" .';
    await runProgram("sh", ["-c", script, "sh", folder]);
    await world.engine.podman(
      "import",
      "--change",
      "ENV PATH=/bin",
      `${folder}.tar`,
      "localhost/bare:latest",
    );
    const { container, place } = await startContainer(world.docker, "localhost/bare:latest");
    world.state.container = place;
    const ended = await world.ssh("echo in");
    expect(ended.stderr).toContain("has no shell");
    expect(ended.code).toBe(127);
    const sftp = await world.client("sftp", ["root@127.0.0.1"], "ls\n");
    expect(sftp.stderr).toContain("has no shell");
    world.state.container = first;
    await container.remove({ force: true });
  });

  it("GW-23 refuses what the gateway does not do: remote forwards, agents, X11, other subsystems", async () => {
    const remote = await world.client("ssh", [
      ...["-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:1", "root@127.0.0.1", "echo in"],
    ]);
    expect(remote.stderr).toContain("remote port forwarding failed");
    const agent = await world.client("ssh", ["-A", "root@127.0.0.1", "echo in $SSH_AUTH_SOCK"]);
    expect(agent.stdout.toString()).toBe("in\n");
    const other = await world.client("ssh", ["-s", "root@127.0.0.1", "netconf"]);
    expect(other.code).toBe(255);
  });
});
