import type { Logger } from "pino";
import type { InstanceEngine } from "./instance-engine";
import type { KeeperOptions } from "./keeper-options";
import type { PortBook } from "./port-book";
import type { RunRecords } from "./run-record";

/** What the workers of a keeper share. */
export interface WorkPlace {
  options: KeeperOptions;
  log: Logger;
  records: RunRecords;
  book: PortBook;
  machineBoot: string;
  engine(instanceId: string): InstanceEngine;
  wasAwayAround(atMs: number): boolean;
  noteAway(words: string): void;
  /** Sees that containers are kept from where they must not go, where that is wanted and can be. */
  guard(): Promise<void>;
  changed(): void;
}

/** Cannot be done as it is wished, in words for the renter. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** Cannot be done now; tried again a little later. */
export class Postponed extends Error {
  override readonly name = "Postponed";
}
