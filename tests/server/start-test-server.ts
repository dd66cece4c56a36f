import type { Answer } from "../../lib/http/answers";
import { makeLog } from "../../lib/http/log";
import { type Metrics, makeMetrics } from "../../lib/http/metrics";
import { type BerthServerOptions, createBerthServer, type Peer } from "../../lib/http/node/berth-server";

/** A server on a free port, with what it logged. */
export interface TestServer {
  port: number;
  url: string;
  lines: Record<string, unknown>[];
  metrics: Metrics;
  drain(force?: AbortSignal): Promise<void>;
  /** Resolves when a log line matches. */
  logged(match: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
}

const running: TestServer[] = [];

/** Starts a server; what is not given is a small API with one path, `/v0/echo` (POST), and a page that says its path. */
export async function startTestServer(options: Partial<BerthServerOptions> = {}): Promise<TestServer> {
  const lines: Record<string, unknown>[] = [];
  const watchers = new Set<() => void>();
  const log = makeLog("info", {
    write(line) {
      lines.push(JSON.parse(line));
      for (const watcher of [...watchers]) watcher();
    },
  });
  const metrics = makeMetrics();
  const server = createBerthServer({
    dispatch: echoDispatch,
    pages: async (incoming, outgoing) => {
      outgoing.setHeader("content-type", "text/html");
      outgoing.end(`<p>page ${incoming.url}</p>`);
    },
    checkReady: async () => ({ ready: true }),
    log,
    metrics,
    ...options,
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  const started: TestServer = {
    port,
    url: `http://127.0.0.1:${port}`,
    lines,
    metrics,
    drain: server.drain,
    logged: (match) =>
      new Promise((resolve) => {
        const watcher = () => {
          const found = lines.find(match);
          if (!found) return;
          watchers.delete(watcher);
          resolve(found);
        };
        watchers.add(watcher);
        watcher();
      }),
  };
  running.push(started);
  return started;
}

/** Ends every server of the test. */
export async function stopTestServers(): Promise<void> {
  await Promise.all(running.splice(0).map(({ drain }) => drain(AbortSignal.abort())));
}

/** An API with `/v0/echo`: POST answers with what it got; everything else is 404 or 405, its body left unread. */
export async function echoDispatch(request: Request, peer: Peer): Promise<Answer> {
  const { pathname } = new URL(request.url);
  if (pathname !== "/v0/echo") return json(404, { ok: false, code: "not_found" });
  if (request.method !== "POST") {
    const refusal = json(405, { ok: false, code: "method_not_allowed" });
    return { ...refusal, headers: { ...refusal.headers, allow: "POST" } };
  }
  peer.operation = "echo";
  const headers = Object.fromEntries(request.headers);
  return json(200, {
    ok: true,
    body: await request.text(),
    peer: peer.address,
    url: request.url,
    headers,
  });
}

export function json(status: number, value: object): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}
