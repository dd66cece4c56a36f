import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** An answer to bytes that never became a request, so that Node has no `ServerResponse` for them. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Writes an answer on a bare connection and ends it. What the client still sends is read for up to `lingerMs`, else
 * it would see a reset before it has read the answer; 0 cuts it off as soon as the answer is written.
 */
export function writeRawAnswer(socket: Duplex, answer: RawAnswer, lingerMs: number): void {
  socket.on("error", () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const headers = {
    ...answer.headers,
    date: new Date().toUTCString(),
    "content-length": String(Buffer.byteLength(answer.body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const reason = STATUS_CODES[answer.status] ?? "";
  const timer = setTimeout(() => socket.destroy(), Math.max(lingerMs, 1000));
  socket.once("close", () => clearTimeout(timer)).once("end", () => socket.destroy());
  socket.end(`HTTP/1.1 ${answer.status} ${reason}\r\n${lines.join("")}\r\n${answer.body}`, () => {
    if (lingerMs === 0) socket.destroy();
  });
  socket.resume();
}
