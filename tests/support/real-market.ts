import { db } from "@/lib/db/client";
import { type AgentProcess, startAgent } from "./agent-process";
import { makeAccount } from "./api";
import type { Renter } from "./renter";
import { type ServerProcess, startServer } from "./server";
import type { TestEngine } from "./test-engine";

/** A server, and an agent on a real engine, each a process of its own, with a renter of 1,000 USD. */
export interface RealMarket {
  server: ServerProcess;
  agent: AgentProcess;
  renter: Renter;
  ownerId: string;
  /** Of the agent's slots, in their order. */
  offerIds: string[];
}

export function startRealServer(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const DATABASE_URL = process.env.DATABASE_URL ?? "";
  return startServer({ DATABASE_URL, ROLE: "both", ALLOW_CPU_HOSTS: "1", ...settings });
}

export async function startRealMarket(engine: TestEngine, split = 1): Promise<RealMarket> {
  const server = await startRealServer();
  const { userId: ownerId } = await makeAccount();
  const agent = await startAgent({ server: server.url, socket: engine.socket, ownerId, split });
  const offers = await db().offer.findMany({
    where: { host: { userId: ownerId } },
    orderBy: { host: { slot: "asc" } },
  });
  const renter = { ...(await makeAccount()), url: server.url };
  return { server, agent, renter, ownerId, offerIds: offers.map(({ id }) => id) };
}
