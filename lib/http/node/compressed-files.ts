import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import Negotiator from "negotiator";

const BROTLI = ".br";
const types: Readonly<Record<string, string>> = {
  js: "application/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/**
 * The built scripts and styles as `npm start` has compressed them, a few megabytes held in memory: no file is opened for a request, and
 * a node keeps those of its own build. Their names change with their content.
 * @returns answers a request for one of them from a client that takes Brotli; false: it is another's to answer
 */
export function loadCompressed(
  dir: string,
): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const folder = join(dir, ".next", "static");
  const files = new Map<string, Buffer>();
  for (const file of existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(BROTLI))
    : []) {
    const name = file.slice(0, -BROTLI.length).replaceAll("\\", "/");
    files.set(`/_next/static/${name}`, readFileSync(join(folder, file)));
  }
  return (incoming, outgoing) => {
    const path = incoming.url?.split("?", 1)[0] ?? "";
    const bytes = files.get(path);
    const isRead = incoming.method === "GET" || incoming.method === "HEAD";
    if (!bytes || !isRead || new Negotiator(incoming).encoding(["br"]) !== "br") return false;
    outgoing.writeHead(200, {
      "content-type": types[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      "content-encoding": "br",
      "content-length": bytes.length,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
    });
    outgoing.end(incoming.method === "HEAD" ? undefined : bytes);
    return true;
  };
}
