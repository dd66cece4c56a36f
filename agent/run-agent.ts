import { join } from "node:path";
import type { Logger } from "pino";
import { AGENT_PROTOCOL, type JoinAnswer, type JoinBody } from "../lib/contract/agent-protocol";
import type { AgentConfig } from "./config";
import { connectEngine, nameEngine } from "./connect-engine";
import { setUpEgress } from "./containers/egress";
import { Keeper } from "./containers/keeper";
import { ControlPlane, RefusedError } from "./control-plane";
import { Gateway } from "./gateway/gateway";
import { LogCollector } from "./observe/log-collector";
import { measureMachine } from "./probe/measure-machine";
import { programRunner } from "./probe/run-program";
import { selfTest } from "./probe/self-test";
import { StartError } from "./start-error";
import { openStateFolder, type StateFolder } from "./state-folder";
import { SyncLoop } from "./sync-loop";

const ROTATE_EVERY_MS = 24 * 3_600_000;
const JOIN_AGAIN_MS = 5_000;

export interface RunningAgent {
  /** What its owner should read, line by line. */
  greeting: string[];
  /** Ends the agent and closes its gateway; what it runs goes on. */
  stop(): Promise<void>;
}

/**
 * Starts an agent: opens the gateway, joins the market, and keeps on bringing what is here to what is wanted. Returns once
 * it has joined; where the market does not answer, it goes on with what was wanted last, and tries again.
 * @param onDismissed called where the market does not know this agent any more
 * @throws StartError for what its owner has to mend
 */
export async function runAgent(
  config: AgentConfig,
  log: Logger,
  onDismissed: (reason: string) => void,
): Promise<RunningAgent> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    const state = await openStateFolder(config.dataDir);
    stops.push(() => state.release());
    const greeting = await start({ config, state, log, onDismissed }, stops);
    return { greeting, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Start {
  config: AgentConfig;
  state: StateFolder;
  log: Logger;
  onDismissed: (reason: string) => void;
}
