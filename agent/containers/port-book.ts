import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import type { RunRecords } from "./run-record";

/** Which ports of the machine are given out. Those of an instance stay its own until it is destroyed. */
export class PortBook {
  readonly #range: { first: number; last: number };
  readonly #bind: string;
  readonly #records: RunRecords;
  /** Picked, and not in a record yet. */
  readonly #picked = new Set<number>();
  /** Ports go round, so that one just given back is not at once another renter's. */
  #next: number;

  constructor(range: { first: number; last: number }, bind: string, records: RunRecords) {
    this.#range = range;
    this.#bind = bind;
    this.#records = records;
    this.#next = range.first;
  }

  /**
   * Picks a free port for each protocol asked for; they are kept until `settle`.
   * @returns null where the range has not as many
   */
  async pick(protocols: ("tcp" | "udp")[]): Promise<number[] | null> {
    const picked: number[] = [];
    for (const protocol of protocols) {
      const port = await this.#pickOne(protocol);
      if (port === null) {
        this.settle(picked);
        return null;
      }
      picked.push(port);
    }
    return picked;
  }

  /** The picked ports are in a record now, or are not used. */
  settle(ports: number[]): void {
    for (const port of ports) this.#picked.delete(port);
  }

  async #pickOne(protocol: "tcp" | "udp"): Promise<number | null> {
    const { first, last } = this.#range;
    const given = this.#given();
    for (let tried = first; tried <= last; tried += 1) {
      const port = this.#next;
      this.#next = port >= last ? first : port + 1;
      if (given.has(port) || this.#picked.has(port)) continue;
      this.#picked.add(port);
      if (await isFree(port, protocol, this.#bind)) return port;
      this.#picked.delete(port);
    }
    return null;
  }

  #given(): Set<number> {
    return new Set(
      this.#records
        .all()
        .flatMap(({ sshPort, ports }) => [...Object.values(ports), ...(sshPort ? [sshPort] : [])]),
    );
  }
}

/** Whether nothing listens there now. */
function isFree(port: number, protocol: "tcp" | "udp", bind: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (protocol === "tcp") {
      const server = createServer();
      server.once("error", () => resolve(false));
      server.listen({ port, host: bind, exclusive: true }, () => server.close(() => resolve(true)));
    } else {
      const socket = createSocket(bind.includes(":") ? "udp6" : "udp4");
      socket.once("error", () => socket.close(() => resolve(false)));
      socket.bind({ port, address: bind, exclusive: true }, () => socket.close(() => resolve(true)));
    }
  });
}
