import type { Socket } from "node:net";
import type Docker from "dockerode";
import type { Logger } from "pino";
import type { ServerChannel } from "ssh2";
import { ChannelWriter } from "./channel-writer";
import type { Door } from "./door";
import type { ProcessQuota } from "./start-process";

/** What serves one channel of a visit. */
export interface Passage {
  docker: Docker;
  log: Logger;
  socket: Socket;
  door(): Door;
  quota: ProcessQuota;
  /** Aborted when the channel or the connection is gone, or the container is being stopped. */
  signal: AbortSignal;
}

export const writerOf = (channel: ServerChannel, passage: Passage) =>
  new ChannelWriter(channel, passage.socket, passage.signal);

/** Says why on stderr and ends the channel. */
export function refuse(channel: ServerChannel, sentence: string, exitCode: number): void {
  channel.stderr.write(`${sentence}\r\n`);
  finish(channel, exitCode);
}

export function finish(channel: ServerChannel, exitCode: number): void {
  channel.exit(exitCode);
  channel.end();
}
