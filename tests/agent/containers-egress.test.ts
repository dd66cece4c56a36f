import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { promisify } from "node:util";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setUpEgress } from "../../agent/containers/egress";
import { describeWithEngine } from "../support/describe-with-engine";
import { startTestEngine, TEST_IMAGE, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";
import { KeeperBench, makeWish } from "./containers-fixture";

const run = promisify(execFile);

describeWithEngine("where containers may go", () => {
  let engine: TestEngine;
  let bench: KeeperBench;
  let server: Server;
  let port: number;
  beforeAll(async () => {
    engine = await startTestEngine();
    bench = await new KeeperBench(engine).open({ egress: "guarded" });
    server = createServer((_request, response) => response.end("a secret of the machine"));
    await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
    ({ port } = server.address() as AddressInfo);
    const serve = "mkdir -p /www && echo mine > /www/index.html && httpd -f -p 8080 -h /www";
    bench.keeper.want([
      makeWish("inst_one", { ports: { "8080": "tcp" }, command: serve }),
      makeWish("inst_two", { ports: { "8080": "tcp" }, command: serve }, { slot: 1 }),
    ]);
    await Promise.all([bench.until("inst_one", "running"), bench.until("inst_two", "running")]);
  });
  afterAll(async () => {
    await bench.close();
    server.close();
    await engine.remove();
  });

  const addressOf = async (instanceId: string) => {
    const info = await bench.docker.getContainer(bench.seen(instanceId)?.containerId ?? "").inspect();
    const [network] = Object.values(info.NetworkSettings.Networks);
    return { own: network?.IPAddress ?? "", gateway: network?.Gateway ?? "" };
  };
  const fetchFromHost = async (url: string) =>
    (await fetch(url, { signal: AbortSignal.timeout(5000) })).text();
  /** Busybox's wget with a time limit ends by a segmentation fault. */
  const ASK = "printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 2";
  const fetchFrom = (instanceId: string, target: string) =>
    bench.run(instanceId, `${ASK} ${target.replace(":", " ")} || echo unreachable`);

  it("CTR-20 lets a container reach neither the machine, by its bridge or its own address, nor another container", async () => {
    const two = await addressOf("inst_two");
    const own = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === "IPv4" && !one.internal && !one.address.startsWith("10.89"))?.address;
    const { gateway } = await addressOf("inst_one");
    const targets = [
      `${gateway}:${port}`,
      `${two.own}:8080`,
      `${two.gateway}:${bench.seen("inst_two")?.ports["8080"]}`,
    ];
    if (own) targets.push(`${own}:${port}`, `${own}:${bench.seen("inst_two")?.ports["8080"]}`);
    for (const target of targets) {
      expect
        .soft(await fetchFromHost(`http://${target}/`), `from the machine, ${target}`)
        .toMatch(/secret|mine/);
      expect.soft(await fetchFrom("inst_one", target), target).toContain("unreachable");
    }
  });

  it("CTR-21 is what keeps it: the same is reached from a network that is not the agent's", async () => {
    await engine.podman("network", "create", "other");
    const gateway = (
      await engine.podman("network", "inspect", "-f", "{{(index .Subnets 0).Gateway}}", "other")
    ).trim();
    try {
      const reached = await engine.podman(
        ...["run", "--rm", "--network", "other", TEST_IMAGE],
        ...["sh", "-c", `${ASK} ${gateway} ${port}`],
      );
      expect(reached).toContain("a secret of the machine");
    } finally {
      await engine.podman("network", "rm", "other");
    }
  });

  it("CTR-22 lets no container reach a cloud's metadata address", async () => {
    const address = "169.254.169.254";
    await run("ip", ["address", "add", `${address}/32`, "dev", "lo"]);
    try {
      expect(await fetchFromHost(`http://${address}:${port}/`)).toContain("secret");
      expect(await fetchFrom("inst_one", `${address}:${port}`)).toContain("unreachable");
    } finally {
      await run("ip", ["address", "del", `${address}/32`, "dev", "lo"]);
    }
  });

  it("CTR-23 leaves mapped ports open to others", async () => {
    expect(await fetchFromHost(`http://127.0.0.1:${bench.seen("inst_one")?.ports["8080"]}/`)).toBe("mine\n");
  });

  it("CTR-24 restores the rules where somebody has flushed them", async () => {
    const { gateway } = await addressOf("inst_one");
    await run("nft", ["delete", "table", "inet", "berth"]);
    expect(await setUpEgress({ docker: bench.docker, log: pino({ level: "silent" }) })).toEqual({
      guarded: true,
    });
    expect(await fetchFrom("inst_one", `${gateway}:${port}`)).toContain("unreachable");
    const { stdout } = await run("nft", ["list", "table", "inet", "berth"]);
    expect(await setUpEgress({ docker: bench.docker, log: pino({ level: "silent" }) })).toEqual({
      guarded: true,
    });
    expect((await run("nft", ["list", "table", "inet", "berth"])).stdout).toBe(stdout);
  });

  it("CTR-61 restores by itself the rules that a firewall's reload removed", async () => {
    await run("nft", ["delete", "table", "inet", "berth"]);
    const isGuarded = () =>
      run("nft", ["list", "table", "inet", "berth"]).then(
        () => true,
        () => false,
      );
    await waitUntil("the rules are back", isGuarded, 20_000);
  });
});
