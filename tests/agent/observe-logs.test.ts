import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { LogCollector } from "@/agent/observe/log-collector";
import { type LogLine, MOST_LOG_LINES } from "@/lib/contract/agent-protocol";
import { describeWithEngine } from "../support/describe-with-engine";
import { startTestEngine, TEST_IMAGE, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";

const log = pino({ level: "silent" });
const ID = "inst_1";
const texts = (lines: readonly LogLine[]) => lines.map(({ stream, text }) => `${stream} ${text}`);

/** An engine whose container has printed far more than is read in a second, a minute ago; `tail` gives what it prints now. */
async function laggingEngine(): Promise<{ socketPath: string; server: Server; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "p-logs-"));
  const socketPath = join(folder, "engine.sock");
  const frame = (at: Date, text: string) => {
    const bytes = Buffer.from(`${at.toISOString()} ${text}\n`);
    const header = Buffer.alloc(8, 0);
    header.writeUInt8(1, 0);
    header.writeUInt32BE(bytes.length, 4);
    return Buffer.concat([header, bytes]);
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://engine");
    if (!url.pathname.endsWith("/logs")) response.end(JSON.stringify({ Config: { Tty: false } }));
    else if (url.searchParams.has("tail")) response.write(frame(new Date(), "newest"));
    else {
      const old = frame(new Date(Date.now() - 60_000), "x".repeat(1000));
      response.write(Buffer.concat(Array.from({ length: 3000 }, () => old)));
    }
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return { socketPath, server, folder };
}

test("PRB-28 an engine's log that is a minute behind is left for its last lines, and that is said", async () => {
  const { socketPath, server, folder } = await laggingEngine();
  const collector = new LogCollector({ docker: new Docker({ socketPath }), log });
  collector.follow([{ instanceId: ID, id: "0123456789ab" }], () => null);
  const lines: LogLine[] = [];
  await waitUntil("the newest line", async () => {
    lines.push(...(collector.take(MOST_LOG_LINES)[ID] ?? []));
    return lines.at(-1)?.text === "newest";
  });
  expect(lines.at(-2)).toMatchObject({
    stream: "system",
    text: expect.stringMatching(/^lines are left out/),
  });
  collector.stop();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

describeWithEngine("logs of a real engine", () => {
  let engine: TestEngine;
  let docker: Docker;
  let collector: LogCollector;
  beforeAll(async () => {
    engine = await startTestEngine();
    docker = new Docker({ socketPath: engine.socket });
  });
  afterEach(async () => {
    collector.stop();
    for (const { Id } of await docker.listContainers({ all: true }))
      await docker.getContainer(Id).remove({ force: true });
  });
  afterAll(() => engine.remove());

  async function start(command: string, tty = false) {
    const container = await docker.createContainer({
      Image: TEST_IMAGE,
      Cmd: ["sh", "-c", command],
      Tty: tty,
    });
    await container.start();
    return container;
  }

  function collect(id: string, after: string | null = null) {
    collector = new LogCollector({ docker, log });
    const follow = () => collector.follow([{ instanceId: ID, id }], () => after);
    follow();
    const lines: LogLine[] = [];
    const until = (what: string, done: () => boolean) =>
      waitUntil(what, async () => {
        lines.push(...(collector.take(5000)[ID] ?? []));
        return done();
      });
    const has = (text: string) => until(text, () => lines.some((line) => line.text === text));
    return { lines, until, has, follow };
  }

  /** Times grow strictly: of an engine's own seconds too. */
  function expectOrder(lines: readonly LogLine[]) {
    const times = lines.map(({ atNs }) => BigInt(atNs));
    expect(times.every((at, index) => index === 0 || at > (times[index - 1] ?? at))).toBe(true);
  }

  test("PRB-24 has both streams, parts of lines, progress bars, colours and odd bytes", async () => {
    const { id } = await start(
      "echo out; echo err >&2; printf '1%%\\r99%%\\r100%%\\n'; printf '\\033[31mred\\033[0m\\n'; printf 'odd \\377\\n'; printf 'prompt? '; sleep 1000",
    );
    const { lines, has } = collect(id);
    await has("prompt? ");
    expect(texts(lines).sort()).toEqual(
      [
        "stderr err",
        "stdout 100%",
        "stdout odd \uFFFD",
        "stdout out",
        "stdout prompt? ",
        "stdout \u001b[31mred\u001b[0m",
      ].sort(),
    );
    expectOrder(lines);
    const at = Number(BigInt(lines[0]?.atNs ?? 0) / 1_000_000n);
    expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);
  });

  test("PRB-24 has a terminal's lines without its returns", async () => {
    const { id } = await start("echo one; printf 'two'; sleep 1; echo; printf 'prompt$ '; sleep 1000", true);
    const { lines, has } = collect(id);
    await has("prompt$ ");
    expect(texts(lines)).toEqual(["stdout one", "stdout two", "stdout prompt$ "]);
  });

  test("PRB-25 a container that ended is read to its end, also where it was never seen running", async () => {
    const container = await start("for i in 1 2 3; do echo $i; done; exit 3");
    await container.wait();
    const { lines, has } = collect(container.id);
    collector.follow([], () => null);
    await has("3");
    expect(texts(lines)).toEqual(["stdout 1", "stdout 2", "stdout 3"]);
  });

  test("PRB-26 goes on without loss or repeat when the container is started again", async () => {
    const container = await start("i=0; while true; do i=$((i+1)); echo $HOSTNAME-$i; sleep 0.05; done");
    const { lines, until, follow } = collect(container.id);
    for (let life = 1; life <= 3; life += 1) {
      const enough = lines.length + 20;
      await until("lines", () => lines.length >= enough);
      await container.stop({ t: 0 });
      if (life === 2) collector.follow([], () => null);
      await container.start();
      follow();
    }
    const enough = lines.length + 20;
    await until("lines of the last life", () => lines.length >= enough);
    await container.stop({ t: 0 });
    const written = (await engine.podman("logs", container.id)).trim().split("\n");
    collector.follow([], () => null);
    await until("all of it", () => lines.length >= written.length);
    expect(lines.map(({ text }) => text)).toEqual(written);
    expectOrder(lines);
  });

  test("PRB-26 goes on without loss or repeat when the engine is away", async () => {
    const container = await start("i=0; while true; do i=$((i+1)); echo $i; sleep 0.02; done");
    const { lines, until } = collect(container.id);
    for (let outage = 1; outage <= 2; outage += 1) {
      const enough = lines.length + 30;
      await until("lines", () => lines.length >= enough);
      await engine.stop();
      await sleep(500);
      await engine.start();
    }
    const enough = lines.length + 100;
    await until("lines after the outages", () => lines.length >= enough);
    expect(lines.map(({ text }) => text)).toEqual(lines.map((_, index) => String(index + 1)));
  });

  test("PRB-27 another run of the agent sends what came after the control plane's newest line", async () => {
    const container = await start("for i in 1 2 3 4 5; do echo $i; done; sleep 1000");
    const first = collect(container.id);
    await first.has("5");
    collector.stop();
    const second = collect(container.id, first.lines[2]?.atNs);
    collector.say(ID, "agent started");
    await second.has("5");
    expect(texts(second.lines)).toEqual(["system agent started", "stdout 4", "stdout 5"]);
    expectOrder(second.lines);
  });

  test("PRB-28 a flood costs a fixed buffer, is followed to its newest lines, and takes no other's place", async () => {
    const flood = await start("yes 2>/dev/null || while true; do echo y; done");
    const quiet = await start("while true; do echo quiet; sleep 0.2; done");
    collector = new LogCollector({ docker, log });
    const containers = [
      { instanceId: "inst_flood", id: flood.id },
      { instanceId: "inst_quiet", id: quiet.id },
    ];
    collector.follow(containers, () => null);
    const note = await waitUntil("lines are dropped", async () => {
      await sleep(1500);
      const taken = collector.take(100);
      expect(Object.values(taken).flat().length).toBeLessThanOrEqual(100);
      expect(taken.inst_quiet?.length ?? 0).toBeLessThanOrEqual(50);
      return taken.inst_flood?.find(({ stream }) => stream === "system");
    });
    expect(note.text).toMatch(/^\d{3,} lines were dropped here/);
    await waitUntil("the quiet one is heard", async () => {
      const taken = collector.take(10_000);
      expect(taken.inst_flood?.length ?? 0).toBeLessThanOrEqual(MOST_LOG_LINES);
      return taken.inst_quiet?.some(({ text }) => text === "quiet");
    });
  });

  test("PRB-29 says when lines begin to wait, and gives back what could not be sent", async () => {
    let calls = 0;
    const container = await start("for i in 1 2 3; do echo $i; done; sleep 1000");
    collector = new LogCollector({ docker, log, onLines: () => (calls += 1) });
    collector.say(ID, "container started");
    expect(calls).toBe(1);
    const said = collector.take(10);
    expect(said[ID]).toMatchObject([{ stream: "system", text: "container started" }]);
    collector.follow([{ instanceId: ID, id: container.id }], () => null);
    await waitUntil("a second call", async () => calls >= 2);
    collector.putBack(said);
    const lines: LogLine[] = [];
    await waitUntil("all", async () => {
      lines.push(...(collector.take(10)[ID] ?? []));
      return lines.length >= 4;
    });
    expect(texts(lines)).toEqual(["system container started", "stdout 1", "stdout 2", "stdout 3"]);
    expect(collector.take(10)).toEqual({});
  });

  test("PRB-29 a container that is gone ends nothing else", async () => {
    const container = await start("echo here; sleep 1000");
    const { has } = collect("0123456789ab");
    collector.follow(
      [
        { instanceId: "inst_gone", id: "0123456789ab" },
        { instanceId: ID, id: container.id },
      ],
      () => null,
    );
    await has("here");
  });
});
