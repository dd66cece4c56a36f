/** Thrown where a query waits on a database that the heartbeat found silent. */
export class DatabaseSilentError extends Error {
  constructor() {
    super("the database does not answer");
    this.name = "DatabaseSilentError";
  }
}

// Prisma: unreachable, timed out, closed, no connection in the pool, no transaction in time, write conflict; Node: sockets;
// PostgreSQL: class 57P and 08, too many connections, deadlock, serialization failure, read-only after a failover.
const CODES =
  /^(P1001|P1002|P1008|P1011|P1017|P2024|P2028|P2034|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P0[1-4]|08\w{3}|53300|40001|40P01|25006)$/;
// A Unix socket that is gone is ENOENT, one with too many waiting EAGAIN.
const MESSAGES =
  /connect (ENOENT|EAGAIN) \S*\.s\.PGSQL\.|connection terminated|timeout exceeded when trying to connect|can't reach database|server closed the connection|connection ended unexpectedly|client has encountered a connection error|client was closed|connection (is )?closed|the database system is (starting|shutting)/i;

const KINDS =
  /^(DatabaseNotReachable|SocketTimeout|ConnectionClosed|TooManyConnections|TransactionWriteConflict)$/;

/** Whether an error means that the database is away or too busy, so that trying again later can help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // Prisma hands a driver's error on as a plain object, in `cause` or in `meta`.
  for (let current = error, depth = 0; isObject(current) && depth < 6; depth++) {
    if (current instanceof DatabaseSilentError) return true;
    const codes = [read(current, "code"), read(current, "originalCode")];
    if (codes.some((code) => typeof code === "string" && CODES.test(code))) return true;
    const words = [read(current, "kind"), read(current, "message"), read(current, "originalMessage")];
    if (words.some((text) => typeof text === "string" && (MESSAGES.test(text) || KINDS.test(text))))
      return true;
    current = read(current, "cause") ?? readAdapterError(current);
  }
  return false;
}

function readAdapterError(error: object): unknown {
  const meta = read(error, "meta");
  return isObject(meta) ? read(meta, "driverAdapterError") : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function read(error: object, name: string): unknown {
  return name in error ? Reflect.get(error, name) : undefined;
}
