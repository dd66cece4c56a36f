import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openEngine } from "../../agent/connect-engine";
import { describeWithEngine } from "../support/describe-with-engine";
import { startTestEngine, type TestEngine } from "../support/test-engine";
import { KeeperBench, makeWish } from "./containers-fixture";

/** An engine's socket that leaves the first call that matches without an answer. */
class DeafSocket {
  readonly path: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  swallowed = 0;

  constructor(path: string, engine: string, call: RegExp) {
    this.path = path;
    this.#server = createServer((client) => {
      const upstream = connect(engine);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => this.#sockets.delete(socket));
      }
      client.on("data", (chunk: Buffer) => {
        if (this.swallowed === 0 && call.test(chunk.toString("latin1"))) this.swallowed += 1;
        else upstream.write(chunk);
      });
      client.on("close", () => upstream.destroy());
      upstream.on("close", () => client.destroy());
      upstream.pipe(client);
    });
  }

  open(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(this.path, resolve));
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

it("CTR-65 knows at once of an answer of the engine that breaks off", async () => {
  const folder = await mkdtemp(join(tmpdir(), "berth-breaks-"));
  const socket = join(folder, "socket");
  const server = createServer((client) => {
    client.once("data", () => client.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const broken = openEngine(`unix://${socket}`);
  await expect(broken.getContainer("any").inspect()).rejects.toThrow("aborted");
  await expect(broken.info()).rejects.toThrow("aborted");
  server.close();
  await rm(folder, { recursive: true });
});

describeWithEngine("containers under attack", () => {
  let engine: TestEngine;
  let bench: KeeperBench;
  beforeAll(async () => {
    engine = await startTestEngine();
  });
  afterAll(() => engine.remove());
  afterEach(() => bench.close());

  it("CTR-60 destroys a container although the engine leaves a call unanswered, and others go on", async () => {
    const folder = await mkdtemp(join(tmpdir(), "berth-deaf-"));
    const deaf = new DeafSocket(join(folder, "socket"), engine.socket, /^POST \S*\/unpause/);
    await deaf.open();
    try {
      bench = await new KeeperBench(engine).open({ docker: openEngine(`unix://${deaf.path}`) });
      bench.keeper.want([makeWish("inst_deaf")]);
      const { containerId } = await bench.until("inst_deaf", "running");
      await engine.podman("pause", containerId ?? "");
      bench.keeper.want([makeWish("inst_deaf", {}, { wanted: "destroyed" }), makeWish("inst_other")]);
      await bench.until("inst_other", "running");
      await bench.until("inst_deaf", "gone");
      expect(deaf.swallowed).toBe(1);
      await bench.close();
    } finally {
      deaf.close();
      await rm(folder, { recursive: true });
      bench = await new KeeperBench(engine).open();
    }
  });

  it("CTR-62 takes values of the environment as they are, whatever is in them", async () => {
    bench = await new KeeperBench(engine).open();
    const value = "a'b\"c\n$(touch /tmp/pwned) `touch /tmp/pwned` ; --x";
    bench.keeper.want([
      makeWish("inst_env", { variables: { EVIL: value, BASH_ENV: "/nowhere", ENV: "/nowhere" } }),
    ]);
    await bench.until("inst_env", "running");
    expect(await bench.run("inst_env", 'printf %s "$EVIL"; ls /tmp')).toBe(value);
  });
});
