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

/** What went wrong, for people: without a stack where the message explains itself. */
export function explain(error: unknown): string {
  if (error instanceof ValidationError) {
    return error.issues.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("\n");
  }
  if (!(error instanceof Error)) return String(error);
  const forPeople = error instanceof DomainError || EXPLAINED.has(error.name) || "errno" in error;
  return forPeople ? error.message : (error.stack ?? error.message);
}

const EXPLAINED = new Set(["StartupError", "CatalogueFileError", "SettingsError"]);
