import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Docker from "dockerode";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { pullImage } from "@/agent/containers/pull-image";
import { describeWithEngine } from "../support/describe-with-engine";
import { startTestEngine, TEST_IMAGE, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";
import { KeeperBench, makeWish } from "./containers-fixture";

const run = promisify(execFile);

/** Of a registry on loopback that lets in "renter" with PASSWORD. */
const PASSWORD = "right-horse-battery";
const PASSWORD_BCRYPT = "$2y$05$Jx9YNQI7M.WhlNXA7ae63.DpgH6W4ScqvBPeROmJr/wFpUXkQhKoW";

const hasRegistry = spawnSync("sh", ["-c", "command -v docker-registry"]).status === 0;
if (!hasRegistry) {
  process.stderr.write(
    "\nSKIPPED: tests of private images, because docker-registry is missing (apt-get).\n\n",
  );
}

describeWithEngine("images", () => {
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

  it("CTR-50 says why an image cannot be had, and leaves nothing behind", async () => {
    const wishes = ["localhost/no-such-image:1", "127.0.0.1:1/nope:latest"].map((image, slot) =>
      makeWish(`inst_nope${slot}`, { image }, { slot }),
    );
    bench.keeper.want(wishes);
    expect((await bench.until("inst_nope0", "failed")).message).toContain(
      "no image localhost/no-such-image:1",
    );
    expect((await bench.until("inst_nope1", "failed")).message).toMatch(/refused/);
    bench.keeper.want(wishes.map((wish) => ({ ...wish, wanted: "destroyed" })));
    await Promise.all([bench.until("inst_nope0", "gone"), bench.until("inst_nope1", "gone")]);
    expect(await bench.everything()).toEqual([]);
  });

  it("CTR-51 destroys at once what is being pulled", async () => {
    const { server, port, asked } = await openSilentRegistry();
    try {
      const wish = makeWish("inst_slow", { image: `127.0.0.1:${port}/slow:latest` });
      bench.keeper.want([wish]);
      await bench.until("inst_slow", "pulling");
      await asked;
      bench.keeper.want([{ ...wish, wanted: "destroyed" }]);
      await bench.until("inst_slow", "gone");
      expect(await bench.everything()).toEqual([]);
    } finally {
      server.close();
    }
  });

  it("CTR-53 keeps renters from images of the machine itself and from registries in its private network", async () => {
    bench.overrides = { privateImages: false };
    await bench.restart();
    const { server, port, asked } = await openSilentRegistry();
    let wasAsked = false;
    void asked.then(() => {
      wasAsked = true;
    });
    try {
      const hosts = [`127.0.0.1:${port}/a:1`, `localhost:${port}/a:1`, "10.1.2.3/a:1", "[::1]:5000/a:1"];
      const wishes = [TEST_IMAGE, ...hosts].map((image, slot) =>
        makeWish(`inst_${slot}`, { image }, { slot }),
      );
      bench.keeper.want(wishes);
      for (const { instanceId } of wishes) {
        expect((await bench.until(instanceId, "failed")).message).toContain("for its owner alone");
      }
      expect(wasAsked).toBe(false);
    } finally {
      server.close();
    }
  });

  it.skipIf(!hasRegistry && !process.env.CI)(
    "CTR-52 pulls a private image with its renter's password only, which is kept nowhere and opens it for nobody else",
    async () => {
      const registry = await startRegistry();
      try {
        const image = `127.0.0.1:${registry.port}/private:1`;
        await engine.podman("push", "--creds", `renter:${PASSWORD}`, TEST_IMAGE, image);
        const passwords: Record<string, string> = { inst_right: PASSWORD, inst_wrong: "wrong-horse-battery" };
        bench.overrides = { registryPassword: async (instanceId) => passwords[instanceId] ?? null };
        await bench.restart();
        const right = makeWish("inst_right", { image, login: "renter" });
        bench.keeper.want([right]);
        await bench.until("inst_right", "running");
        bench.keeper.want([
          right,
          makeWish("inst_wrong", { image, login: "renter" }, { slot: 1 }),
          makeWish("inst_none", { image }, { slot: 2 }),
          makeWish("inst_over", { image, login: "renter" }, { slot: 3 }),
        ]);
        for (const id of ["inst_wrong", "inst_none", "inst_over"]) {
          expect((await bench.until(id, "failed")).message).toMatch(
            /unauthorized|authentication required|denied/i,
          );
        }
        expect(bench.seen("inst_right")?.state).toBe("running");
        const said = bench.log + JSON.stringify(bench.keeper.kept());
        expect(said).not.toMatch(/horse-battery/);
        const { stdout } = await run("grep", ["-rc", "horse-battery", bench.folder]).catch((error) => error);
        expect(stdout).not.toMatch(/:[1-9]/);
      } finally {
        await registry.stop();
      }
    },
  );

  /** Takes connections and says nothing. */
  async function openSilentRegistry(): Promise<{ server: Server; port: number; asked: Promise<unknown> }> {
    const server = createServer((socket) => socket.on("error", () => undefined));
    const asked = new Promise((resolve) => server.once("connection", resolve));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    return { server, port: typeof address === "object" && address ? address.port : 0, asked };
  }

  async function startRegistry(): Promise<{ port: number; stop(): Promise<void> }> {
    const folder = await mkdtemp(join(tmpdir(), "berth-registry-"));
    const { server, port } = await openSilentRegistry();
    await new Promise((resolve) => server.close(resolve));
    await mkdir(join(folder, "data"));
    await writeFile(join(folder, "htpasswd"), `renter:${PASSWORD_BCRYPT}\n`);
    await writeFile(
      join(folder, "config.yml"),
      `version: 0.1
storage: { filesystem: { rootdirectory: ${folder}/data } }
http: { addr: "127.0.0.1:${port}" }
auth: { htpasswd: { realm: test, path: ${folder}/htpasswd } }
`,
    );
    const child = spawn("docker-registry", ["serve", join(folder, "config.yml")], { stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await waitUntil("the registry answers", async () =>
      fetch(`http://127.0.0.1:${port}/v2/`).then(
        ({ status }) => status === 401,
        () => false,
      ),
    );
    return {
      port,
      async stop() {
        child.kill("SIGTERM");
        await ended;
        await rm(folder, { recursive: true, force: true });
      },
    };
  }
});

it("CTR-54 an engine that goes away behind its refusal ends nothing but that pull", async () => {
  const refusal = `${JSON.stringify({ error: "denied" })}\n`;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.once("data", () => {
      const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
      socket.write(`${head}${refusal.length.toString(16)}\r\n${refusal}\r\n`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const pulling = pullImage({
    docker: new Docker({ host: "127.0.0.1", port }),
    image: "registry.invalid/a:1",
    credentials: null,
    allowPrivate: true,
    signal: AbortSignal.timeout(20_000),
    onProgress: () => undefined,
  });
  await expect(pulling).rejects.toThrow("The image cannot be pulled: denied");
  // What is thrown outside of all tests fails the run; by the time of another connection it was.
  sockets[0]?.destroy();
  await once(connect(port, "127.0.0.1"), "connect");
  for (const socket of sockets) socket.destroy();
  server.close();
});
