import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { db } from "@/lib/db/client";
import { makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { describeWithEngine } from "../support/describe-with-engine";
import { startRealMarket } from "../support/real-market";
import { call, type Instance, look, reach } from "../support/renter";
import { makeKey, ssh, sshOptions } from "../support/ssh-client";
import { startTestEngine, TEST_IMAGE, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";

const run = promisify(execFile);

useTestDatabase();

/** What a TCP port says to one who connects. */
function ask(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const client = connect(port, host);
    let said = "";
    client.on("data", (bytes) => {
      said += bytes.toString();
    });
    client.on("end", () => resolve(said));
    client.on("error", reject);
  });
}

const [name = "", imageTag = ""] = TEST_IMAGE.split(":");
const image = { image: name, imageTag };
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describeWithEngine("an instance on a real container", () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startTestEngine();
  });
  afterAll(() => engine.remove());

  it("LIFE-01 rent, SSH, scp, a forwarded port, keys that act at once, pause, start, reboot, a mapped port, destroy", async () => {
    const { agent, renter, offerIds } = await startRealMarket(engine);
    const [offerId = ""] = offerIds;
    expect(agent.log()).toContain("on the market as host_");
    const first = await makeKey(renter, "first");
    const command =
      "echo started; mkdir -p /www; echo inside > /www/said; httpd -p 127.0.0.1:9090 -h /www; while true; do echo outside | nc -l -p 8080; done";
    const { templateId } = await makeTemplate(renter.userId, {
      ...image,
      ports: { "8080": "tcp" },
      onStartCommand: command,
    });
    const [rented] = await call<Instance[]>(renter, "POST", "/v0/instances/create", {
      offer_id: offerId,
      template_id: templateId,
      secret_ids: [first.id],
    });
    const id = rented?.id ?? "";
    const instance = await reach(renter, id, "running");
    const container = await db().hostContainer.findUniqueOrThrow({ where: { instanceId: id } });
    expect((await engine.podman("ps", "--no-trunc", "--quiet")).trim()).toBe(container.containerId);

    const ran = await ssh(instance, first.file, "echo out; echo err >&2; id -u; exit 7");
    expect(ran).toEqual({ code: 7, stdout: "out\n0\n", stderr: "err\n" });

    const folder = await mkdtemp(join(inject("scratchFolder"), "scp-"));
    const bytes = randomBytes(3_000_000);
    await writeFile(join(folder, "up"), bytes);
    const options = [...(await sshOptions(instance, first.file)), "-P", String(instance.ssh_port), "-q"];
    await run("scp", [...options, join(folder, "up"), `root@${instance.ssh_host}:/root/data`]);
    expect((await ssh(instance, first.file, "sha256sum < /root/data")).stdout).toContain(sha256(bytes));
    await run("scp", [...options, `root@${instance.ssh_host}:/root/data`, join(folder, "down")]);
    expect(sha256(await readFile(join(folder, "down")))).toBe(sha256(bytes));

    const forwarded = agent.firstPort + 150;
    const tunnel = execFile("ssh", [
      ...(await sshOptions(instance, first.file)),
      ...["-o", "ExitOnForwardFailure=yes", "-N", "-L", `127.0.0.1:${forwarded}:127.0.0.1:9090`],
      ...["-p", String(instance.ssh_port), `root@${instance.ssh_host}`],
    ]);
    const tunnelEnded = new Promise((resolve) => tunnel.once("exit", resolve));
    const said = () =>
      fetch(`http://127.0.0.1:${forwarded}/said`).then(
        (answer) => answer.text(),
        () => "",
      );
    await waitUntil("the tunnel leads inside", async () => (await said()) === "inside\n");
    tunnel.kill();
    await tunnelEnded;

    const second = await makeKey(renter, "second");
    expect((await ssh(instance, second.file, "true")).code).toBe(255);
    await call(renter, "POST", `/v0/instances/secrets/${id}`, { secret_id: second.id });
    expect((await ssh(instance, second.file, "true")).code).toBe(0);
    await call(renter, "DELETE", `/v0/instances/secrets/${id}`, { secret_id: second.id });
    expect((await ssh(instance, second.file, "true")).code).toBe(255);

    await ssh(instance, first.file, "echo kept > /root/kept");
    await call(renter, "PUT", `/v0/instances/${id}?action=pause`);
    await reach(renter, id, "paused");
    expect((await engine.podman("ps", "--quiet")).trim()).toBe("");
    const meter = await db().meterInterval.findFirstOrThrow({ where: { instanceId: id, endedAt: null } });
    const { uptimeMicro, pauseMicro } = await db().instance.findUniqueOrThrow({ where: { id } });
    expect([meter.kind, meter.rateMicro]).toEqual(["paused", pauseMicro]);
    expect(pauseMicro).toBeLessThan(uptimeMicro);
    await call(renter, "PUT", `/v0/instances/${id}?action=start`);
    const again = await reach(renter, id, "running");
    expect([again.ssh_port, again.ports]).toEqual([instance.ssh_port, instance.ports]);
    expect((await ssh(again, first.file, "cat /root/kept")).stdout).toBe("kept\n");

    await ssh(again, first.file, "sleep 98765 > /dev/null 2>&1 &");
    expect((await ssh(again, first.file, "ps | grep -c '[s]leep 98765'")).stdout).toBe("1\n");
    await call(renter, "POST", `/v0/instances/reboot/${id}`);
    const rebooted = await reach(renter, id, "running");
    expect((await ssh(rebooted, first.file, "ps | grep -c '[s]leep 98765'; cat /root/kept")).stdout).toBe(
      "0\nkept\n",
    );

    const mapped = Number(rebooted.ports["8080"]);
    await waitUntil("the mapped port answers", () =>
      ask(rebooted.address, mapped).then(
        (said) => said === "outside\n",
        () => false,
      ),
    );
    await waitUntil("its start command's output is in the logs", async () =>
      /container started[\s\S]*started\n/.test((await look(renter, id)).logs ?? ""),
    );

    await call(renter, "DELETE", `/v0/instances/${id}`);
    await waitUntil(
      "the offer is free",
      async () => !(await db().offer.findUniqueOrThrow({ where: { id: offerId } })).leased,
    );
    expect((await engine.podman("ps", "--all", "--quiet")).trim()).toBe("");
    expect((await engine.podman("volume", "ls", "--quiet")).trim()).toBe("");
    expect((await engine.podman("network", "ls", "--quiet", "--filter", "name=berth")).trim()).toBe("");
    // The door closes behind the container, which has let the offer go by then.
    const isRefused = (host: string, port: number) =>
      ask(host, port).then(
        () => false,
        (error: Error) => error.message.includes("ECONNREFUSED"),
      );
    await waitUntil("its mapped port is closed", () => isRefused(rebooted.address, mapped));
    await waitUntil("its SSH port is closed", () => isRefused(instance.ssh_host, instance.ssh_port));
  });

  it("LIFE-12 what a container prints at once, and nothing more, is in its log behind the platform's own words", async () => {
    const { renter, offerIds } = await startRealMarket(engine);
    const { templateId } = await makeTemplate(renter.userId, { ...image, onStartCommand: "echo only this" });
    // Within one second or over its end: engines tell no finer time of a line.
    for (let round = 0; round < 5; round += 1) {
      const [rented] = await call<Instance[]>(renter, "POST", "/v0/instances/create", {
        offer_id: offerIds[0],
        template_id: templateId,
      });
      const id = rented?.id ?? "";
      const logs = await waitUntil("the line is there", async () => {
        const { logs } = await look(renter, id);
        return logs?.includes("only this") ? logs : null;
      });
      expect(logs.split("\n").slice(0, 3)).toEqual(["pulling the image", "container started", "only this"]);
      await call(renter, "DELETE", `/v0/instances/${id}`);
      await waitUntil(
        "the offer is free",
        async () => !(await db().offer.findUniqueOrThrow({ where: { id: offerIds[0] ?? "" } })).leased,
      );
    }
  });
});
