import { DomainError } from "../kernel/errors";
import { type LedgerReport, verifyLedger } from "./verify-ledger";

const LIMIT_MS = 25_000;

let running: Promise<LedgerReport> | undefined;

/**
 * Proves the ledger while somebody waits for the answer. Who asks while this process is at it gets the same answer: it
 * reads every movement there is.
 * @throws DomainError unavailable where it takes longer than that
 */
export function verifyLedgerInTime(limitMs = LIMIT_MS): Promise<LedgerReport> {
  running ??= verifyWithin(limitMs).finally(() => {
    running = undefined;
  });
  return running;
}

async function verifyWithin(limitMs: number): Promise<LedgerReport> {
  const started = performance.now();
  try {
    return await verifyLedger(limitMs);
  } catch (error) {
    if (performance.now() - started < limitMs) throw error;
    throw new DomainError(
      "unavailable",
      `The check takes longer than ${limitMs / 1000} seconds. Run \`berth ledger verify\` on the server.`,
    );
  }
}
