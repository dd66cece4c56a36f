import { format } from "node:util";
import type { Logger } from "pino";

/** Makes what libraries print (Next prints the errors of pages) lines of the log instead. */
export function sendConsoleToLog(log: Logger): void {
  const levels = { error: "error", warn: "warn", info: "info", log: "info", debug: "debug" } as const;
  for (const [method, level] of Object.entries(levels) as [
    keyof typeof levels,
    (typeof levels)[keyof typeof levels],
  ][]) {
    console[method] = (...args: unknown[]) => {
      const err = args.find((arg) => arg instanceof Error);
      // An error's other properties may hold input; the log's own description of errors leaves them out.
      const words = args.filter((arg) => !(arg instanceof Error));
      log[level](err ? { err } : {}, format(...words).trim());
    };
  }
}
