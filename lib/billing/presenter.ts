import type { z } from "zod";
import type { billing, billingEntry, billingUsage, hostEarnings } from "../contract/billing";
import { convertMicro, microToNumber, type Rate } from "../kernel/money";
import { type DatedParts, sumParts } from "./days";
import type { Entry } from "./entries";
import type { DatedRate } from "./exchange-rates";
import type { BillingState } from "./get-billing";
import type { DayOfUsage } from "./list-usage";

const MS_AN_HOUR = 3_600_000n;
const YEAR_10000 = BigInt(Date.UTC(10_000, 0, 1));

export function presentBilling(state: BillingState, rate: DatedRate): z.output<typeof billing> {
  const amount = (micro: bigint) => microToNumber(convertMicro(micro, rate));
  const spent = state.stage === "empty" || state.stage === "over";
  return {
    currency: rate.currency,
    rate: { units_per_usd: rate.unitsPerUsd, effective_at: rate.effectiveAt.toISOString() },
    balance: amount(state.availableMicro),
    accrued: amount(state.accruedMicro),
    burn_rate: amount(state.burnMicro),
    money_ends_at: endOfMoney(state)?.toISOString() ?? null,
    stage: state.stage,
    grace: spent ? amount(state.graceMicro) : null,
    escrow: amount(state.escrowMicro),
    earned: amount(state.earnedMicro),
    paid_out: amount(state.paidOutMicro),
    owed: amount(state.owedMicro),
  };
}

/** Where nothing is left it is now. */
function endOfMoney({ at, availableMicro, accruedMicro, burnMicro }: BillingState): Date | null {
  if (burnMicro <= 0n) return null;
  const left = availableMicro - accruedMicro;
  const ms = BigInt(at.getTime()) + ((left > 0n ? left : 0n) * MS_AN_HOUR) / burnMicro;
  return ms < YEAR_10000 ? new Date(Number(ms)) : null;
}

export function presentEntry(entry: Entry, currency: Rate["currency"]): z.output<typeof billingEntry> {
  const rate = { currency, unitsPerUsd: entry.units };
  return {
    id: `${entry.id}-${entry.account}`,
    at: entry.at.toISOString(),
    day: entry.day,
    kind: entry.kind,
    account: entry.account,
    // By size, so that what leaves one account is shown as what comes to another.
    amount:
      entry.micro < 0n
        ? -microToNumber(convertMicro(-entry.micro, rate))
        : microToNumber(convertMicro(entry.micro, rate)),
    amount_usd: microToNumber(entry.micro),
    currency,
    rate: entry.units,
    instance_id: entry.instanceId,
    host_id: entry.hostId,
    reference: entry.reference,
  };
}

export function presentUsage(row: DayOfUsage, currency: Rate["currency"]): z.output<typeof billingUsage> {
  const { day, instanceId, name, seconds } = row;
  return { day, instance_id: instanceId, name, ...presentParts(row, currency), seconds_running: seconds };
}

export function presentEarnings(
  row: DatedParts & { day: string; seconds: number },
  currency: Rate["currency"],
): z.output<typeof hostEarnings> {
  return { day: row.day, ...presentParts(row, currency), seconds_rented: row.seconds };
}

function presentParts(parts: DatedParts, currency: Rate["currency"]) {
  const { micro, usdMicro } = sumParts(parts, currency);
  return { amount: microToNumber(micro), amount_usd: microToNumber(usdMicro), currency };
}
