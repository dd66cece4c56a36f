import { afterEach, describe, expect, it } from "vitest";
import { makeLog } from "../../lib/http/log";
import { Lifecycle, type StartStep } from "../../lib/http/node/lifecycle";
import { openRaw, readAnswer } from "./raw-client";
import { json, startTestServer, stopTestServers } from "./start-test-server";

afterEach(stopTestServers);

const GET = "GET /v0/x HTTP/1.1\r\nHost: a\r\n\r\n";

/** A dispatch that answers when it is let go. */
function makeGate() {
  let open = () => {};
  let entered = () => {};
  const reached = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const dispatch = async () => {
    entered();
    await gate;
    return json(200, { done: true });
  };
  return { dispatch, open: () => open(), reached };
}

describe("draining", () => {
  it("SRV-20 finishes running requests, closes their connections and ends idle and silent ones at once", async () => {
    const gate = makeGate();
    const server = await startTestServer({ dispatch: gate.dispatch });
    const [idle, silent, busy] = [
      await openRaw(server.port),
      await openRaw(server.port),
      await openRaw(server.port),
    ];
    idle.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await idle.until(/\{"ok":true\}/);
    busy.write(GET);
    await gate.reached;
    const drained = server.drain();
    await idle.ended();
    await silent.ended();
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    gate.open();
    const answer = readAnswer(await busy.ended());
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    expect(answer.body).toContain("done");
    await drained;
  });

  it("SRV-20 is not ready any more, which a request behind one that runs still learns", async () => {
    const gate = makeGate();
    const behind = makeGate();
    const server = await startTestServer({
      dispatch: behind.dispatch,
      pages: async (_, outgoing) => {
        outgoing.setHeader("content-length", "4").writeHead(200).write("on");
        await gate.dispatch();
        outgoing.end("ce");
      },
    });
    const connection = await openRaw(server.port);
    connection.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await connection.until(/on$/);
    const drained = server.drain();
    connection.write(`GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n${GET}`);
    await behind.reached;
    gate.open();
    expect(await connection.ended()).toMatch(/onceHTTP\/1\.1 503 .*"unavailable"/s);
    behind.open();
    await drained;
  });

  it("SRV-21 cuts off what runs longer than the limit, and at once when forced", async () => {
    const gate = makeGate();
    const limited = await startTestServer({ dispatch: gate.dispatch, limits: { drainTimeoutMs: 50 } });
    const slow = await openRaw(limited.port);
    slow.write(GET);
    await gate.reached;
    await limited.drain();
    expect(await slow.ended()).toBe("");

    const other = makeGate();
    const forced = await startTestServer({ dispatch: other.dispatch });
    const stuck = await openRaw(forced.port);
    stuck.write(GET);
    await other.reached;
    const force = new AbortController();
    const drained = forced.drain(force.signal);
    force.abort();
    await drained;
    expect(await stuck.ended()).toBe("");
  });
});

describe("life cycle", () => {
  function makeLife() {
    const events: string[] = [];
    let exited = (_: number) => {};
    const exit = new Promise<number>((resolve) => {
      exited = resolve;
    });
    const life = new Lifecycle(makeLog("silent"), (code) => exited(code));
    const step = (name: string): StartStep => ({
      name,
      start: async () => {
        events.push(`+${name}`);
        return async () => void events.push(`-${name}`);
      },
    });
    return { events, exit, life, step };
  }

  it("SRV-22 starts in order, stops in reverse, once for repeated signals, and exits 0", async () => {
    const { events, exit, life, step } = makeLife();
    expect(await life.start([step("a"), step("b"), step("c")])).toBe(true);
    life.signal(10_000);
    life.signal(10_001);
    life.signal(10_900);
    expect(await exit).toBe(0);
    expect(events).toEqual(["+a", "+b", "+c", "-c", "-b", "-a"]);
  });

  it("SRV-22 ends all waiting at a second signal that comes more than a second later", async () => {
    const { exit, life } = makeLife();
    let forced = false;
    const stop = (force: AbortSignal) =>
      new Promise<void>((resolve) => {
        force.addEventListener("abort", () => {
          forced = true;
          resolve();
        });
      });
    await life.start([{ name: "slow", start: async () => stop }]);
    life.signal(10_000);
    life.signal(10_500);
    await Promise.resolve();
    expect(forced).toBe(false);
    life.signal(11_001);
    expect([await exit, forced]).toEqual([0, true]);
  });

  it("SRV-22 undoes the step that was starting when the signal came, and starts no further one", async () => {
    const { events, exit, life, step } = makeLife();
    let proceed = () => {};
    const slow: StartStep = {
      name: "slow",
      start: async () => {
        await new Promise<void>((resolve) => {
          proceed = resolve;
        });
        return async () => void events.push("-slow");
      },
    };
    const started = life.start([step("a"), slow, step("never")]);
    await expect.poll(() => events).toEqual(["+a"]);
    life.signal();
    proceed();
    expect([await started, await exit]).toEqual([false, 0]);
    expect(events).toEqual(["+a", "-slow", "-a"]);
  });

  it("SRV-22 stops what runs and exits 1 after a step that failed, and where stopping failed", async () => {
    const { events, exit, life, step } = makeLife();
    const fail = async (): Promise<undefined> => {
      throw new Error("port in use");
    };
    await expect(life.start([step("a"), { name: "b", start: fail }])).rejects.toThrow("port in use");
    await life.stop(1);
    expect([await exit, events]).toEqual([1, ["+a", "-a"]]);

    const other = makeLife();
    await other.life.start([other.step("a"), { name: "b", start: async () => fail }]);
    other.life.signal();
    expect([await other.exit, other.events]).toEqual([1, ["+a", "-a"]]);
  });
});
