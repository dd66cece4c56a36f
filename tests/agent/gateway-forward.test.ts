import { type ChildProcess, spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithEngine } from "../support/describe-with-engine";
import { waitUntil } from "../support/wait-until";
import { findPort, type GatewayWorld, runProgram, startGatewayWorld } from "./gateway-fixture";

describeWithEngine("forwards through the gateway", () => {
  let world: GatewayWorld;
  const clients: ChildProcess[] = [];
  beforeAll(async () => {
    world = await startGatewayWorld();
    await world.ssh(
      "mkdir -p /www; echo hello >/www/x; head -c 20000000 /dev/zero >/www/big; httpd -p 127.0.0.1:8080 -h /www",
    );
  });
  afterAll(async () => {
    for (const client of clients) client.kill("SIGKILL");
    await world.remove();
  });

  /** The port here that leads to `target` there. */
  const forward = async (target: string) => {
    const port = await findPort();
    const args = ["-i", join(world.folder, "id"), "-p", String(world.port), "-N", "-L", `${port}:${target}`];
    clients.push(spawn("ssh", [...world.options, ...args, "root@127.0.0.1"], { stdio: "ignore" }));
    const isOpen = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => resolve(true));
        socket.once("connect", () => socket.destroy());
        socket.once("error", () => resolve(false));
      });
    await waitUntil(`a forward to ${target}`, isOpen);
    return port;
  };
  const fetchText = (port: number, path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then((answer) => answer.text());
  const helpers = async () =>
    (await runProgram("pgrep", ["-f", "gateway/forward/reach[.]mjs"])).stdout.toString().trim().split("\n");

  it("GW-50 reaches a service that listens on the container's loopback only, by its name and its address", async () => {
    expect(await fetchText(await forward("localhost:8080"), "/x")).toBe("hello\n");
    const port = await forward("127.0.0.1:8080");
    expect(await fetchText(port, "/x")).toBe("hello\n");
    expect((await fetchText(port, "/big")).length).toBe(20_000_000);
    const many = await Promise.all(Array.from({ length: 30 }, () => fetchText(port, "/x")));
    expect(new Set(many)).toEqual(new Set(["hello\n"]));
  });

  it("GW-51 refuses a closed port, and a name, at once", async () => {
    for (const target of ["127.0.0.1:9", "example.org:80", "[::1]:9"]) {
      const args = ["-W", target, "root@127.0.0.1"];
      const ended = await world.client("ssh", args);
      expect(ended.code, target).toBe(255);
      expect(ended.stderr, target).toContain("open failed");
    }
  });

  it("GW-52 reaches nothing of the machine's own", async () => {
    const server = createServer((socket) => socket.end("mine"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const ended = await world.client("ssh", ["-W", `127.0.0.1:${port}`, "root@127.0.0.1"]);
    expect(ended.stdout.toString()).toBe("");
    expect(ended.code).toBe(255);
    server.close();
  });

  it("GW-53 hands on what the other side says first, and each side's end by itself", async () => {
    await world.ssh(`printf '#!/bin/sh\\necho banner; cat; echo bye\\n' >/tmp/serve; chmod 755 /tmp/serve`);
    await world.ssh("nc -ll -p 9000 -e /tmp/serve >/dev/null 2>&1 </dev/null &");
    const ended = await waitUntil("the service", async () => {
      const seen = await world.client("ssh", ["-W", "127.0.0.1:9000", "root@127.0.0.1"], "said\n");
      return seen.code === 0 ? seen : null;
    });
    expect(ended.stdout.toString()).toBe("banner\nsaid\nbye\n");
  });

  it("GW-54 ends its process with the door's disconnecting, and begins anew after it", async () => {
    const port = await forward("127.0.0.1:8080");
    expect(await fetchText(port, "/x")).toBe("hello\n");
    const [before] = await helpers();
    expect(before).not.toBe("");
    world.gateway.disconnect("inst_gateway");
    await waitUntil("the helper has ended", async () => !(await helpers()).includes(before ?? ""));
    expect(await fetchText(port, "/x")).toBe("hello\n");
  });

  it("GW-55 refuses where the container's network cannot be entered", async () => {
    const before = world.state.container;
    world.gateway.disconnect("inst_gateway");
    for (const pid of [0, process.pid]) {
      world.state.container = { id: before?.id ?? "", pid };
      const ended = await world.client("ssh", ["-W", "127.0.0.1:8080", "root@127.0.0.1"]);
      expect(ended.code).toBe(255);
    }
    expect(world.logged.join()).toContain("no network of its own");
    world.state.container = before;
  });
});
