import pino, { type Logger } from "pino";

/** One finished request, as a log line has it. Never a path, a query, a header or a body: they carry secrets. */
export interface RequestLine {
  request_id: string;
  method: string;
  /** The operation's id, or the class of the path where no operation matched. */
  route: string;
  status: number;
  ms: number;
  /** The client went away before the answer was out. */
  aborted?: true;
}

/**
 * A logger that writes JSON lines to standard error; standard output is for people.
 * @param level one of pino's levels, or "silent"
 * @param destination where lines go instead of standard error (tests)
 */
export function makeLog(level = "info", destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: true }));
}

// Only what we know to be free of input: other properties of an error may hold parameters or whole requests.
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = "code" in error ? { code: String(error.code) } : {};
  return { type: error.name, message: error.message, stack: error.stack, ...code };
}
