import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import next from "next";
import sirv from "sirv";
import { StartupError } from "../../db/startup-error";
import type { Pages } from "./run-node";

/**
 * Loads Next's request handler for the project in `dir`.
 * @throws StartupError where the pages are not built
 */
export async function loadNextPages(options: {
  dir: string;
  dev: boolean;
  host: string;
  port: number;
}): Promise<Pages> {
  const { dir, dev, host, port } = options;
  if (!dev && !existsSync(join(dir, ".next", "BUILD_ID"))) {
    throw new StartupError("The pages are not built yet. Start with `npm start`, which builds them.");
  }
  // Next listens for upgrades on the server it is told of, and there is none but this one, which hears nothing.
  const deaf = createServer();
  const app = next({ dir, dev, hostname: host, port, httpServer: deaf });
  await app.prepare();
  const handle = app.getRequestHandler();
  const upgrade: Pages["upgrade"] = (incoming, socket, head) => {
    // Next leaves every other upgrade hanging.
    if (incoming.url?.startsWith("/_next/hmr")) deaf.emit("upgrade", incoming, socket, head);
    else socket.destroy();
  };
  const serveBuilt = dev ? null : serveStatic(dir);
  return {
    handle: async (incoming, outgoing) => {
      if (!serveBuilt?.(incoming, outgoing)) await handle(incoming, outgoing);
    },
    upgrade: dev ? upgrade : undefined,
    stop: () => app.close(),
  };
}

const STATIC = "/_next/static/";

/** Scripts and styles as `npm start` has compressed them, under names that change with their content. Answers false for what is none. */
function serveStatic(dir: string) {
  const serve = sirv(join(dir, ".next", "static"), { brotli: true, immutable: true, maxAge: 31_536_000 });
  return (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    const { url } = incoming;
    if (!url?.startsWith(STATIC)) return false;
    let isThere = true;
    incoming.url = url.slice(STATIC.length - 1);
    serve(incoming, outgoing, () => {
      isThere = false;
      incoming.url = url;
    });
    return isThere;
  };
}
