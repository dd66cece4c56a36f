import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** The open connections of one server, and which of them are in the middle of an answer. */
export interface Connections {
  /** Counts an answer as running until `end`, which is to be called once it is out or its connection is gone. */
  begin(incoming: IncomingMessage, response: ServerResponse): void;
  end(incoming: IncomingMessage, response: ServerResponse): void;
  /** The answer that runs on a connection now, the latest where requests were pipelined. */
  running(socket: Duplex): ServerResponse | undefined;
  /**
   * Ends idle connections now and busy ones with their running answers, all of them after `timeoutMs` or when
   * `force` is aborted. Resolves when none is left.
   */
  drain(timeoutMs: number, force?: AbortSignal): Promise<void>;
}

/**
 * Follows the connections of a server. Node's own `closeIdleConnections` leaves those open that never sent
 * anything, and so does not end a server that has one.
 */
export function trackConnections(server: Server): Connections {
  const open = new Map<Duplex, Set<ServerResponse>>();
  let draining = false;
  server.on("connection", (socket) => {
    open.set(socket, new Set());
    socket.once("close", () => open.delete(socket));
    if (draining) socket.destroy();
  });

  // A pipelined response has no socket of its own until those before it are out.
  function begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const running = open.get(socket);
    if (!running) return;
    running.add(response);
    if (draining) response.setHeader("Connection", "close");
  }

  function end({ socket }: IncomingMessage, response: ServerResponse): void {
    const running = open.get(socket);
    running?.delete(response);
    if (draining && running?.size === 0) socket.destroySoon();
  }

  function destroyAll(): void {
    for (const socket of open.keys()) socket.destroy();
  }

  function drain(timeoutMs: number, force?: AbortSignal): Promise<void> {
    draining = true;
    return new Promise((resolve) => {
      const timer = setTimeout(destroyAll, timeoutMs);
      force?.addEventListener("abort", destroyAll, { once: true });
      server.close(() => {
        clearTimeout(timer);
        force?.removeEventListener("abort", destroyAll);
        resolve();
      });
      for (const [socket, running] of open) {
        if (running.size === 0) socket.destroy();
        for (const response of running) if (!response.headersSent) response.setHeader("Connection", "close");
      }
      if (force?.aborted) destroyAll();
    });
  }

  return { begin, end, drain, running: (socket) => [...(open.get(socket) ?? [])].at(-1) };
}
