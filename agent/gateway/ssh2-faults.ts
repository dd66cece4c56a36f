import type { Socket } from "node:net";
import type { ServerChannel } from "ssh2";

/** What ssh2 1.17 gets wrong as a server, seen in its source, and how we stand against it. */

const SMALLEST_PACKET = 256;
/** ssh2 gives a client a window of 2 MiB a channel. */
const MOST_UNREAD = 4 * 1024 * 1024;
const MOST_UNSENT = 16 * 1024 * 1024;

/** A channel that takes packets of 0 bytes makes the writing to it an endless loop, and so stops the whole process. */
export function takesPackets(channel: object): boolean {
  const outgoing: unknown = Reflect.get(channel, "outgoing");
  if (typeof outgoing !== "object" || outgoing === null) return false;
  const size: unknown = Reflect.get(outgoing, "packetSize");
  return typeof size === "number" && size >= SMALLEST_PACKET;
}

/**
 * A piece that had to wait for the client's window is kept after it was sent, and sent once more when the other stream
 * (stderr, stdout) has to wait. To be called after each write; one write at a time over both streams.
 */
export function forgetSent(channel: ServerChannel): void {
  for (const name of ["_chunk", "_chunkcb", "_chunkErr", "_chunkcbErr"])
    Reflect.set(channel, name, undefined);
}

/** Neither a window that a client overruns nor answers that it does not read are bounded. */
export function boundMemory(socket: Socket, channels: ReadonlySet<ServerChannel>): void {
  socket.on("data", () => {
    let unread = 0;
    for (const channel of channels) unread = Math.max(unread, channel.readableLength);
    if (unread > MOST_UNREAD || socket.writableLength > MOST_UNSENT) socket.destroy();
  });
}
