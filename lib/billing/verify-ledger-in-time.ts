import { DomainError } from "../kernel/errors";
import { type LedgerReport, verifyLedger } from "./verify-ledger";

const LIMIT_MS = 25_000;

/**
 * Proves the ledger while somebody waits for the answer.
 * @throws DomainError unavailable where it takes longer than that
 */
export async function verifyLedgerInTime(limitMs = LIMIT_MS): Promise<LedgerReport> {
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
