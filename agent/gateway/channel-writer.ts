import { once } from "node:events";
import type { Socket } from "node:net";
import type { ServerChannel } from "ssh2";
import { forgetSent } from "./ssh2-faults";

const MOST_UNSENT = 1024 * 1024;

/** Writes to a channel, one piece after another, as fast as the client takes them: nothing piles up here. */
export class ChannelWriter {
  readonly #channel: ServerChannel;
  readonly #socket: Socket;
  readonly #signal: AbortSignal;

  /** @param signal aborted when the channel is gone: ssh2 never calls back for what it can no longer send */
  constructor(channel: ServerChannel, socket: Socket, signal: AbortSignal) {
    this.#channel = channel;
    this.#socket = socket;
    this.#signal = signal;
  }

  /** Resolves once the client has taken it; at once when the channel is gone. Never called again before that. */
  async write(to: "stdout" | "stderr", data: Buffer): Promise<void> {
    if (this.#signal.aborted || data.length === 0) return;
    const stream = to === "stdout" ? this.#channel : this.#channel.stderr;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#signal.removeEventListener("abort", done);
        resolve();
      };
      this.#signal.addEventListener("abort", done);
      stream.write(data, done);
    });
    forgetSent(this.#channel);
    // ssh2 heeds the client's window, which may be any size, but not what the socket still holds.
    if (this.#socket.writableLength > MOST_UNSENT)
      await once(this.#socket, "drain", { signal: this.#signal }).catch(() => undefined);
  }
}
