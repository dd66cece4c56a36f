import type { ReservePeriod } from "../contract/words";
import type { Instance } from "./own-instances";

const HOUR_MS = 3_600_000;

/** Hours of each term that can be paid ahead. */
const termHours: Record<ReservePeriod, number> = {
  hour: 1,
  day: 24,
  week: 168,
  month: 720,
  quarter: 2160,
  half_year: 4320,
  year: 8760,
};

type Costing = Pick<
  Instance,
  | "status"
  | "initialized_at"
  | "uptime_price"
  | "pause_price"
  | "total_cost"
  | "prepaid_until"
  | "auto_renew"
  | "reserve_period"
  | "actual_offer"
>;

/** What an hour costs in its present status, beyond what was paid ahead. */
export function hourlyCost(instance: Costing): number {
  return instance.prepaid_until === null ? rateOf(instance) : 0;
}

/** Booting and rebooting cost nothing; one that failed after it ran still holds its machine. */
function rateOf({ status, initialized_at, uptime_price, pause_price }: Costing): number {
  if (status === "running") return uptime_price;
  if (status === "paused" || (status === "error" && initialized_at !== null)) return pause_price;
  return 0;
}

/** What it has cost at `now`, told by the answer of `askedAt` and the time since; in milliseconds since 1970. */
export function costAt(instance: Costing, askedAt: number, now: number): number {
  return instance.total_cost + (hourlyCost(instance) * Math.max(0, now - askedAt)) / HOUR_MS;
}

/**
 * What it will have cost at `end`, if it stays as it is: a term that is renewed is paid whole, one that is not goes on by
 * the hour.
 */
export function costBy(instance: Costing, now: number, end: number): number {
  if (instance.prepaid_until === null)
    return instance.total_cost + (rateOf(instance) * (end - now)) / HOUR_MS;
  const until = Math.max(now, Date.parse(instance.prepaid_until));
  if (until >= end) return instance.total_cost;
  const term = instance.auto_renew ? termPrice(instance) : null;
  if (term === null) return instance.total_cost + (rateOf(instance) * (end - until)) / HOUR_MS;
  const terms = Math.ceil((end - until) / (termHours[instance.reserve_period] * HOUR_MS));
  return instance.total_cost + terms * term;
}

/** What the next term costs, paid ahead; null where the offer has no price for it. */
export function termPrice({ actual_offer, reserve_period }: Costing): number | null {
  const hourly = actual_offer.prices.find(({ period }) => period === reserve_period);
  return hourly ? hourly.price * termHours[reserve_period] : null;
}

/** The first instant of the next month, where the browser is. */
export function monthEnd(now: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth() + 1, 1).getTime();
}
