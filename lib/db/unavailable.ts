/** Thrown where a query waits on a database that the heartbeat found silent. */
export class DatabaseSilentError extends Error {
  constructor() {
    super("the database does not answer");
    this.name = "DatabaseSilentError";
  }
}

// Prisma: unreachable, timed out, closed, no connection in the pool, no transaction in time; Node: sockets; PostgreSQL: class 57P and 08.
const CODES =
  /^(P1001|P1002|P1008|P1011|P1017|P2024|P2028|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P0[1-4]|08\w{3}|53300)$/;
const MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|can't reach database|server closed the connection|connection ended unexpectedly|the database system is (starting|shutting)/i;

/** Whether an error means that the database is away, so that trying again later can help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 6; depth++) {
    if (current instanceof DatabaseSilentError) return true;
    const codes = [read(current, "code"), read(current, "originalCode"), read(current, "kind")];
    if (codes.some((code) => typeof code === "string" && CODES.test(code))) return true;
    if (MESSAGES.test(current.message)) return true;
    if (/DatabaseNotReachable|SocketTimeout|ConnectionClosed|TooManyConnections/.test(current.message))
      return true;
    current = current.cause;
  }
  return false;
}

function read(error: Error, name: string): unknown {
  return name in error ? Reflect.get(error, name) : undefined;
}
