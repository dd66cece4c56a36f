import type { Socket } from "node:net";
import type { Connection, ServerChannel, TcpipRequestInfo } from "ssh2";
import { type Door, type GatewayOptions, NOT_RUNNING } from "./door";
import type { Forwarder } from "./forward/forwarder";
import { relayForward } from "./forward/relay-forward";
import { type Passage, refuse } from "./passage";
import { serveSession } from "./session";
import { boundMemory, takesPackets } from "./ssh2-faults";
import type { ProcessQuota } from "./start-process";

const MOST_CHANNELS = 64;

/** A connection that is logged in: its channels, each of which goes into the container. */
export class Visit {
  readonly #options: GatewayOptions;
  readonly #socket: Socket;
  readonly #door: () => Door;
  readonly #quota: ProcessQuota;
  readonly #forwarder: Forwarder;
  readonly #channels = new Set<ServerChannel>();
  readonly #open = new Map<AbortController, ServerChannel | null>();

  constructor(
    client: Connection,
    socket: Socket,
    door: () => Door,
    quota: ProcessQuota,
    forwarder: Forwarder,
    options: GatewayOptions,
  ) {
    this.#options = options;
    this.#quota = quota;
    this.#forwarder = forwarder;
    this.#socket = socket;
    this.#door = door;
    socket.setMaxListeners(0);
    boundMemory(socket, this.#channels);
    client.on("session", (accept, reject) => {
      if (this.#open.size >= MOST_CHANNELS) return reject();
      const controller = this.#enter();
      const session = accept();
      session.on("close", () => this.#leave(controller));
      serveSession(session, this.#passage(controller), (channel) => this.#adopt(channel, controller));
    });
    client.on("tcpip", (accept, reject, info) => {
      if (this.#open.size >= MOST_CHANNELS) return reject();
      void this.#forward(accept, reject, info);
    });
  }

  /** Ends its processes; the connection itself stays, and what is asked for next is answered by the door as it is then. */
  end(): void {
    for (const [controller, channel] of this.#open) {
      if (channel === null && !this.#socket.destroyed) continue;
      this.#leave(controller);
      if (channel === null || this.#socket.destroyed) continue;
      refuse(channel, NOT_RUNNING, 255);
      // A client that does not read must not hold it open.
      channel.destroy();
    }
  }

  async #forward(accept: () => ServerChannel, reject: () => void, to: TcpipRequestInfo): Promise<void> {
    const controller = this.#enter();
    const container = this.#door().container();
    try {
      if (container === null) throw new Error(NOT_RUNNING);
      const socket = await this.#forwarder.connect(container, to.destIP, to.destPort);
      const channel = controller.signal.aborted ? undefined : accept();
      if (channel && this.#adopt(channel, controller))
        await relayForward(channel, socket, this.#passage(controller));
      else socket.destroy();
    } catch (error) {
      // ssh2 has no way to send the reason along.
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.info({ instanceId: this.#door().instanceId, reason }, "forward refused");
      reject();
    } finally {
      this.#leave(controller);
    }
  }

  #enter(): AbortController {
    const controller = new AbortController();
    this.#open.set(controller, null);
    return controller;
  }

  #leave(controller: AbortController): void {
    const channel = this.#open.get(controller);
    this.#open.delete(controller);
    if (channel) this.#channels.delete(channel);
    controller.abort();
  }

  #adopt(channel: ServerChannel, controller: AbortController): boolean {
    channel.on("error", () => channel.close());
    if (!takesPackets(channel) || controller.signal.aborted) {
      this.#leave(controller);
      channel.close();
      return false;
    }
    channel.on("close", () => this.#leave(controller));
    this.#open.set(controller, channel);
    this.#channels.add(channel);
    return true;
  }

  #passage({ signal }: AbortController): Passage {
    return {
      docker: this.#options.docker,
      log: this.#options.log,
      socket: this.#socket,
      door: this.#door,
      quota: this.#quota,
      signal,
    };
  }
}
