import { connect, type Socket } from "node:net";

/** A connection that speaks bytes, for what no HTTP client would send. */
export interface RawConnection {
  socket: Socket;
  write(text: string | Buffer): void;
  /** Everything received so far. */
  received(): string;
  /**
   * Resolves with everything received once it matches, or rejects when the connection ends before. A text, of 100 letters at most, is
   * looked for in what has just come: all of megabytes again for each part of them would take minutes.
   */
  until(pattern: RegExp | string): Promise<string>;
  /** Resolves with everything received when the server has ended the connection. */
  ended(): Promise<string>;
}

/** Opens a raw connection to a server on the loopback address. */
export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ host: "127.0.0.1", port });
  let text = "";
  let recent = "";
  const watchers = new Set<() => void>();
  const wake = () => {
    for (const watcher of [...watchers]) watcher();
  };
  let over = false;
  socket.on("data", (chunk) => {
    const part = chunk.toString("latin1");
    text += part;
    recent = recent.slice(-100) + part;
    wake();
  });
  socket.on("error", () => undefined);
  for (const event of ["end", "close"] as const) {
    socket.on(event, () => {
      over = true;
      wake();
    });
  }
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  const wait = (done: () => boolean) =>
    new Promise<void>((resolve) => {
      const watcher = () => {
        if (!done()) return;
        watchers.delete(watcher);
        resolve();
      };
      watchers.add(watcher);
      watcher();
    });
  return {
    socket,
    write: (data) => void socket.write(data),
    received: () => text,
    async until(pattern) {
      const has = () => (typeof pattern === "string" ? recent.includes(pattern) : pattern.test(text));
      await wait(() => over || has());
      if (!has()) throw new Error(`the connection ended after: ${text}`);
      return text;
    },
    async ended() {
      await wait(() => over);
      socket.destroy();
      return text;
    },
  };
}

/** Sends bytes and returns all that came back until the server ended the connection. */
export async function sendRaw(port: number, data: string | Buffer): Promise<string> {
  const connection = await openRaw(port);
  connection.write(data);
  return connection.ended();
}

/** The parts of the last answer in raw text: interim answers (100) are skipped. */
export function readAnswer(text: string): { status: number; headers: Headers; body: string } {
  const start = text.startsWith("HTTP/1.1 100") ? text.indexOf("\r\n\r\n") + 4 : 0;
  const split = text.indexOf("\r\n\r\n", start);
  const [line = "", ...lines] = text.slice(start, split).split("\r\n");
  const headers = new Headers();
  for (const header of lines) {
    const colon = header.indexOf(":");
    headers.append(header.slice(0, colon), header.slice(colon + 1).trim());
  }
  return { status: Number(line.split(" ")[1]), headers, body: text.slice(split + 4) };
}
