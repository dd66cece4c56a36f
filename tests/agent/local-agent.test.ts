import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { db } from "@/lib/db/client";
import { startLocalAgent } from "@/lib/local-agent";
import { ensureDemo, seedMarket } from "@/lib/market-setup";
import { useTestDatabase } from "../support/api-setup";
import { describeWithEngine } from "../support/describe-with-engine";
import { startRealServer } from "../support/real-market";
import { startTestEngine, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";

useTestDatabase();

const log = pino({ level: "silent" });

describeWithEngine("the local agent of npm start", () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startTestEngine();
    process.env.DATA_DIR = await mkdtemp(join(inject("scratchFolder"), "local-"));
    await seedMarket();
    await ensureDemo();
  });
  afterAll(async () => {
    delete process.env.DATA_DIR;
    await engine.remove();
  });

  const own = () =>
    db().host.findFirst({ where: { runtime: "docker", user: { email: "owner@demo.invalid" } } });

  it("LIFE-08 offers this machine for the demo's owner, again as the same host at another port", async () => {
    const environment = {
      ...process.env,
      BERTH_ENGINE: `unix://${engine.socket}`,
      BERTH_PORTS: "33000-33050",
    };
    const hostIds = new Set<string>();
    for (let start = 0; start < 2; start += 1) {
      const server = await startRealServer();
      const agent = await startLocalAgent(server.url, log, environment);
      onTestFinished(async () => agent?.stop());
      expect(agent?.lines).toEqual([]);
      const before = start === 0 ? null : (await own())?.lastReportAt;
      const host = await waitUntil("it is on the market", async () => {
        const found = await own();
        return found?.status === "active" && found.lastReportAt?.getTime() !== before?.getTime()
          ? found
          : null;
      });
      hostIds.add(host.id);
      await agent?.stop();
      await server.kill("SIGTERM");
    }
    expect(hostIds.size).toBe(1);
  });

  it("LIFE-09 says in a line how to get an engine where none answers, and nothing where it is turned off", async () => {
    const environment = { ...process.env, BERTH_ENGINE: "unix:///nowhere.sock" };
    const agent = await startLocalAgent("http://127.0.0.1:1", log, environment);
    expect(agent?.lines).toEqual([
      expect.stringMatching(/^machine {2}No container engine answers.*Install and start Docker/),
    ]);
    process.env.LOCAL_AGENT = "off";
    onTestFinished(() => {
      delete process.env.LOCAL_AGENT;
    });
    expect(await startLocalAgent("http://127.0.0.1:1", log, environment)).toBeNull();
  });
});
