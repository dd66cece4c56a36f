import type { z } from "zod";
import type { ledgerReport, operatorRate } from "../contract/operator";
import { microToNumber } from "../kernel/money";
import type { ListedRate } from "./exchange-rates";
import type { LedgerReport } from "./verify-ledger";

export function presentRate(rate: ListedRate): z.output<typeof operatorRate> {
  return {
    currency: rate.currency,
    units_per_usd: rate.unitsPerUsd,
    effective_at: rate.effectiveAt.toISOString(),
    in_force: rate.inForce,
  };
}

export function presentLedgerReport({ sums, ...report }: LedgerReport): z.output<typeof ledgerReport> {
  const { renter, escrow, host, fee, credit, payout } = sums;
  return {
    ...report,
    sums: {
      renter: microToNumber(renter),
      escrow: microToNumber(escrow),
      host: microToNumber(host),
      fee: microToNumber(fee),
      credit: microToNumber(credit),
      payout: microToNumber(payout),
    },
  };
}
