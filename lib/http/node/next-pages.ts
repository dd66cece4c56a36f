import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import next from "next";
import { StartupError } from "../../db/startup-error";
import { loadCompressed } from "./compressed-files";
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
  const serveBuilt = dev ? null : loadCompressed(dir);
  return {
    handle: async (incoming, outgoing) => {
      if (!serveBuilt?.(incoming, outgoing)) await handle(incoming, outgoing);
    },
    upgrade: dev ? upgrade : undefined,
    stop: () => app.close(),
  };
}
