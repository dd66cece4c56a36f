import { type ReservePeriod, reservePeriodHours } from "../contract/words";
import type { AnswerOf } from "./call-operation";

type Offer = Pick<AnswerOf<"searchMarket">["data"][number], "prices" | "disk_prices">;
type Billing = Pick<AnswerOf<"getBilling">["data"], "balance" | "accrued" | "burn_rate">;

/** Numbers to look at, in the currency of the offer; what is charged is the server's to say. */
export interface RentCost {
  /** An hour of the GPUs before any discount: what is sent as the price that was seen. */
  hourlyPrice: number;
  /** An hour of running; a term has its disk in it. */
  perHour: number;
  diskPerHour: number;
  /** Taken at once; 0 by the hour. */
  prepaid: number;
}

/** @returns null where the offer has no price for the period */
export function rentCost(offer: Offer, period: ReservePeriod, diskGb: number): RentCost | null {
  const hourly = offer.prices.find((price) => price.period === "hour");
  const chosen = offer.prices.find((price) => price.period === period);
  if (!hourly || !chosen) return null;
  const diskPerHour =
    period === "hour" ? ((offer.disk_prices[0]?.price ?? 0) * diskGb) / reservePeriodHours.month : 0;
  return {
    hourlyPrice: hourly.price,
    perHour: chosen.price + diskPerHour,
    diskPerHour,
    prepaid: period === "hour" ? 0 : chosen.price * reservePeriodHours[period],
  };
}

/**
 * What the balance is after renting: `missing` until it can be rented (a term, and an hour of everything that costs by
 * the hour), and the hours that it lasts, null where nothing costs by the hour.
 */
export function balanceAfter(
  billing: Billing,
  cost: RentCost,
): { missing: number; hoursLeft: number | null } {
  const burn = billing.burn_rate + (cost.prepaid > 0 ? 0 : cost.perHour);
  const left = billing.balance - billing.accrued - cost.prepaid;
  return {
    missing: Math.max(0, cost.prepaid + burn - billing.balance),
    hoursLeft: burn > 0 ? Math.max(0, left) / burn : null,
  };
}
