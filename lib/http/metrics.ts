import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Connections of a database pool at this moment. */
interface PoolCounts {
  total: number;
  idle: number;
  waiting: number;
}

/** What the server counts. One a process: a second would start a second set of collectors. */
export interface Metrics {
  /** @param route the operation's id or the class of the path, never the path itself; @param seconds the whole answer */
  observeRequest(sample: { method: string; route: string; status: number; seconds: number }): void;
  /** Makes the pool's counts part of every scrape from now on. */
  watchPool(read: () => PoolCounts): void;
  /** The exposition text and its content type. */
  scrape(): Promise<{ text: string; contentType: string }>;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Makes the registry with the process's default metrics and the histogram of requests.
 * @param isGathered by the process that has forked this one
 */
export function makeMetrics({ isGathered = false } = {}): Metrics {
  const registry = new Registry();
  if (isGathered) {
    AggregatorRegistry.setRegistries(registry);
    new AggregatorRegistry(); // answers the one who asks
  }
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "berth_http_request_duration_seconds",
    help: "Time from a request's headers to the end of its answer",
    labelNames: ["method", "operation", "status"] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  return {
    observeRequest({ method, route, status, seconds }) {
      // A client chooses the method, so an unknown one must not become a series of its own.
      const known = METHODS.has(method) ? method : "other";
      requests.observe({ method: known, operation: route, status: String(status) }, seconds);
    },
    watchPool(read) {
      watchPoolGauge(registry, read);
    },
    async scrape() {
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}

/** What the processes that this one has forked count, together; this one's own where one of them does not answer. */
export function gatherMetrics(own: Metrics): Pick<Metrics, "scrape"> {
  const gathered = new AggregatorRegistry();
  return {
    async scrape() {
      try {
        return { text: await gathered.clusterMetrics(), contentType: gathered.contentType };
      } catch {
        return own.scrape();
      }
    },
  };
}

function watchPoolGauge(registry: Registry, read: () => PoolCounts): void {
  const name = "berth_database_pool_connections";
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help: "Connections of the database pool by state, and callers waiting for one",
    labelNames: ["state"] as const,
    registers: [registry],
    collect() {
      const counts = read();
      this.set({ state: "total" }, counts.total);
      this.set({ state: "idle" }, counts.idle);
      this.set({ state: "waiting" }, counts.waiting);
    },
  });
}
