import { CatalogueFileError } from "../lib/catalogue/text-input";
import { StartupError } from "../lib/db/startup-error";
import { isDatabaseUnavailable } from "../lib/db/unavailable";
import { DomainError, ValidationError } from "../lib/kernel/errors";
import { withMarket } from "./with-market";

/** Makes a commander action of work on the market: its result is printed as one JSON value on standard output. */
export function onMarket<Args extends unknown[]>(work: (...args: Args) => Promise<object>) {
  return async (...args: Args): Promise<void> => printJson(await withMarket(() => work(...args)));
}

export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A line for the person who waits; standard output is for programs. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A reason that is for the person at the command line: what happened and what to do. */
export class CommandError extends Error {}

/** What went wrong, for people: without a stack where the message explains itself. */
export function explain(error: unknown): string {
  if (error instanceof ValidationError) {
    return error.issues.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("\n");
  }
  if (EXPLAINED.some((kind) => error instanceof kind)) return String(Reflect.get(Object(error), "message"));
  if (isDatabaseUnavailable(error)) return "The database does not answer just now. Try again shortly.";
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const EXPLAINED = [DomainError, StartupError, CatalogueFileError, CommandError];
