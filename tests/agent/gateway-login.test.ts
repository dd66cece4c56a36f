import { connect } from "node:net";
import { join } from "node:path";
import ssh2 from "ssh2";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fingerprintOf, makeHostKey } from "@/agent/gateway/host-key";
import { describeWithEngine } from "../support/describe-with-engine";
import { waitUntil } from "../support/wait-until";
import { findPort, type GatewayWorld, runProgram, startGatewayWorld } from "./gateway-fixture";

describeWithEngine("who the gateway lets in", () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld();
  });
  afterAll(() => world.remove());

  const loginWith = (key: string, ...more: string[]) =>
    world.client("ssh", [...more, "root@127.0.0.1", "echo in"], "", key);

  it("GW-01 names its host key as ssh-keygen does, and shows that one to who dials", async () => {
    const scan = await runProgram("ssh-keyscan", ["-p", String(world.port), "127.0.0.1"]);
    const listed = await runProgram("ssh-keygen", ["-lf", "-"], scan.stdout);
    expect(listed.stdout.toString()).toContain(world.hostKey.fingerprint);
    expect(fingerprintOf(world.hostKey.privateKey)).toBe(world.hostKey.fingerprint);
    const made = Array.from({ length: 1000 }, () => makeHostKey().fingerprint);
    expect(new Set(made).size).toBe(1000);
    expect(() => fingerprintOf("nothing")).toThrow("not a private key");
    expect(() => fingerprintOf(world.keys[0] ?? "")).toThrow("not a private key");
  });

  it("GW-02 refuses another key, another name, passwords and none alike", async () => {
    await world.makeKey("other");
    const refusals = [
      await loginWith("other"),
      await world.client("ssh", ["-l", "admin", "127.0.0.1", "echo in"]),
      await world.client("ssh", ["-o", "PubkeyAuthentication=no", "root@127.0.0.1", "echo in"]),
    ];
    for (const { code, stdout, stderr } of refusals) {
      expect(stdout.toString()).toBe("");
      expect(stderr).toContain("Permission denied (publickey)");
      expect(code).toBe(255);
    }
    const tried = await new Promise<string>((resolve) => {
      const client = new ssh2.Client();
      client.once("ready", () => resolve("in"));
      client.once("error", (error) => resolve(error.message));
      client.connect({
        host: "127.0.0.1",
        port: world.port,
        username: "root",
        password: "root",
        tryKeyboard: true,
      });
    });
    expect(tried).toContain("All configured authentication methods failed");
  });

  it("GW-03 asks for the keys at each login: one added works at once, one removed no more", async () => {
    const line = await world.makeKey("second");
    expect((await loginWith("second")).code).toBe(255);
    world.keys.push(line);
    expect((await loginWith("second")).stdout.toString()).toBe("in\n");
    world.keys.splice(world.keys.indexOf(line), 1);
    expect((await loginWith("second")).code).toBe(255);
  });

  it("GW-04 lets nobody in while the keys cannot be had", async () => {
    const { keys } = world.door;
    world.door.keys = () => Promise.reject(new Error("away"));
    expect((await world.ssh("echo in")).code).toBe(255);
    world.door.keys = keys;
    expect((await world.ssh("echo in")).code).toBe(0);
  });

  it("GW-05 takes each kind of key that can be attached, and RSA never with SHA-1", async () => {
    for (const [name, ...kind] of [
      ["rsa", "-t", "rsa", "-b", "2048"],
      ["p256", "-t", "ecdsa", "-b", "256"],
      ["p521", "-t", "ecdsa", "-b", "521"],
    ]) {
      world.keys.push("not a key", await world.makeKey(name ?? "", ...kind));
      expect((await loginWith(name ?? "")).stdout.toString(), name).toBe("in\n");
    }
    const sha1 = await loginWith("rsa", "-o", "PubkeyAcceptedAlgorithms=ssh-rsa");
    expect(sha1.code).toBe(255);
  });

  it("GW-06 speaks no outdated algorithm", async () => {
    for (const outdated of [
      "KexAlgorithms=diffie-hellman-group14-sha1",
      "Ciphers=aes128-cbc",
      "Ciphers=aes256-ctr MACs=hmac-sha1",
    ]) {
      const options = outdated.split(" ").flatMap((option) => ["-o", option]);
      const { code, stderr } = await world.client("ssh", [...options, "root@127.0.0.1", "echo in"]);
      expect(code).toBe(255);
      expect(stderr).toContain("no matching");
    }
  });

  it("GW-07 ends a connection that tries one key after another", async () => {
    const names = Array.from({ length: 9 }, (_, i) => `wrong${i}`);
    for (const name of names) await world.makeKey(name);
    const { stderr } = await world.client(
      "ssh",
      [
        ...names.flatMap((name) => ["-i", join(world.folder, name)]),
        ...["-i", join(world.folder, "id"), "root@127.0.0.1", "echo in"],
      ],
      "",
      "wrong0",
    );
    expect(stderr).not.toContain("Permission denied");
    expect(stderr).toMatch(/disconnect|closed/i);
  });

  it("GW-08 is not shut by connections that never log in", async () => {
    const sockets = Array.from({ length: 150 }, () => connect(world.port, "127.0.0.1"));
    let closed = 0;
    for (const socket of sockets)
      socket
        .on("close", () => closed++)
        .on("error", () => undefined)
        .resume();
    await waitUntil("the oldest are sent away", async () => closed >= 86);
    expect((await world.ssh("echo in")).stdout.toString()).toBe("in\n");
    for (const socket of sockets) socket.destroy();
  });

  it("GW-09 has a door of its own that proves its host key and lets nobody in", async () => {
    const port = await findPort();
    await world.gateway.listen(port);
    const scan = await runProgram("ssh-keyscan", ["-p", String(port), "127.0.0.1"]);
    const listed = await runProgram("ssh-keygen", ["-lf", "-"], scan.stdout);
    expect(listed.stdout.toString()).toContain(world.hostKey.fingerprint);
    const args = [
      ...world.options,
      "-i",
      join(world.folder, "id"),
      "-p",
      String(port),
      "root@127.0.0.1",
      "echo in",
    ];
    expect((await runProgram("ssh", args)).code).toBe(255);
  });

  it("GW-10 opens the same door again without a change, moves it, and says so where its port is taken", async () => {
    await world.gateway.open(world.door);
    expect((await world.ssh("echo in")).code).toBe(0);
    await expect(world.gateway.open({ ...world.door, instanceId: "inst_other" })).rejects.toThrow(
      "EADDRINUSE",
    );
    const port = await findPort();
    await world.gateway.open({ ...world.door, instanceId: "inst_other", port });
    const args = [
      ...world.options,
      "-i",
      join(world.folder, "id"),
      "-p",
      String(port),
      "root@127.0.0.1",
      "echo in",
    ];
    expect((await runProgram("ssh", args)).code).toBe(0);
    await world.gateway.close("inst_other");
    expect((await runProgram("ssh", args)).code).toBe(255);
  });

  it("GW-11 logs each login with the key's fingerprint, and no key", async () => {
    world.logged.length = 0;
    await world.ssh("true");
    const listed = await runProgram("ssh-keygen", ["-lf", join(world.folder, "id.pub")]);
    const fingerprint = listed.stdout.toString().split(" ")[1];
    const logins = world.logged.filter((line) => line.includes('"login"'));
    expect(logins).toHaveLength(1);
    expect(JSON.parse(logins[0] ?? "")).toMatchObject({ instanceId: "inst_gateway", key: fingerprint });
    expect(world.logged.join()).not.toContain(world.keys[0]?.split(" ")[1]);
  });
});
