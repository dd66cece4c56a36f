import { isIP, type Socket } from "node:net";
import type { DoorContainer } from "../door";
import { NetworkReach } from "./network-reach";

const LOOPBACK = ["127.0.0.1", "::1"];

/** Dials into a door's container on behalf of its renter. Its process starts with the first forward. */
export class Forwarder {
  readonly #folder: string;
  #present: { container: DoorContainer; reach: Promise<NetworkReach> } | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws Error that says why not */
  async connect(container: DoorContainer, host: string, port: number): Promise<Socket> {
    const addresses = addressesOf(host);
    if (port < 1 || port > 65_535) throw new Error(`there is no port ${port}`);
    const reach = await this.#reach(container);
    let reason: unknown;
    for (const address of addresses) {
      try {
        return await reach.connect(address, port);
      } catch (error) {
        reason = error;
      }
    }
    throw reason;
  }

  /** Of the container that ends now. */
  end(): void {
    const present = this.#present;
    this.#present = null;
    present?.reach.then(
      (reach) => reach.end(),
      () => undefined,
    );
  }

  async #reach(container: DoorContainer): Promise<NetworkReach> {
    for (;;) {
      const { id, pid } = this.#present?.container ?? {};
      if (id !== container.id || pid !== container.pid) this.end();
      this.#present ??= { container, reach: NetworkReach.start(container, this.#folder) };
      const { reach } = this.#present;
      const ready = await reach.catch((error: unknown) => {
        if (this.#present?.reach === reach) this.#present = null;
        throw error;
      });
      if (!ready.isEnded) return ready;
      if (this.#present?.reach === reach) this.#present = null;
    }
  }
}

/** Names are for the container's resolver, which is out of this process's reach; the machine's own must not answer. */
function addressesOf(host: string): string[] {
  if (host === "localhost" || host === "") return LOOPBACK;
  if (isIP(host) !== 0) return [host];
  throw new Error(`forward to localhost or to an IP address; "${host.slice(0, 100)}" is a name`);
}
