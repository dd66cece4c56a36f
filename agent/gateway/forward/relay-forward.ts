import { once } from "node:events";
import type { Socket } from "node:net";
import type { ServerChannel } from "ssh2";
import { type Passage, writerOf } from "../passage";

/** Joins a channel to a connection in the container's network; each side is as fast as the other, and ends by itself. */
export async function relayForward(channel: ServerChannel, socket: Socket, passage: Passage): Promise<void> {
  const end = () => socket.destroy();
  passage.signal.addEventListener("abort", end, { once: true });
  socket.on("error", end);
  const closed = once(socket, "close").catch(() => undefined);
  channel.pipe(socket);
  const writer = writerOf(channel, passage);
  try {
    for await (const data of socket.iterator({ destroyOnReturn: false })) await writer.write("stdout", data);
    channel.eof();
  } catch {
    socket.destroy();
  }
  await closed;
  channel.end();
  passage.signal.removeEventListener("abort", end);
}
