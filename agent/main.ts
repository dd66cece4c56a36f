import { CommanderError } from "commander";
import pino from "pino";
import { readConfig } from "./config";
import { runAgent } from "./run-agent";
import { StartError } from "./start-error";

const FAILED = 1;
const MISUSED = 2;
const STOPS_WITHIN_MS = 10_000;
/** The market does not know this agent any more: starting again changes nothing. */
const DISMISSED = 3;

try {
  const config = readConfig(process.argv.slice(2));
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    pino.destination(2),
  );
  const agent = await runAgent(config, log, (reason) => {
    process.stderr.write(`${reason}\n`);
    process.exitCode = DISMISSED;
    void agent.stop();
  });
  const stop = () => {
    setTimeout(() => process.exit(), STOPS_WITHIN_MS).unref(); // an engine may take its time to answer
    void agent.stop();
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  if (config.stopsWithParent) process.stdin.once("end", stop).resume();
  process.stdout.write(`${agent.greeting.join("\n")}\n`);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : MISUSED; // commander has said why
  } else if (error instanceof StartError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = FAILED;
  } else {
    throw error;
  }
}
