import { divideHalfUp } from "../kernel/money";
import { type ReservePeriod, reservePeriods } from "./reserve-periods";

const HOURS_A_MONTH = 720;

/** USD micro-units an hour for the whole offer, after the period's discount; half-up. */
export function hourlyPriceMicro(priceMicro: bigint, period: ReservePeriod): bigint {
  return divideHalfUp(priceMicro * BigInt(100 - reservePeriods[period].discountPercent), 100n);
}

/** USD micro-units an hour for `gb` of disk, from its price a GB and month of 720 hours; half-up. */
export function diskHourlyMicro(diskPriceMicro: bigint, gb: number): bigint {
  // Disk sizes come as numbers of GB; a thousandth of one is the finest that is priced.
  return divideHalfUp(diskPriceMicro * BigInt(Math.round(gb * 1000)), BigInt(HOURS_A_MONTH * 1000));
}

/** What an instance costs an hour while it runs: the GPUs and the disk. */
export function uptimeMicro(priceMicro: bigint, diskPriceMicro: bigint, gb: number): bigint {
  return priceMicro + diskHourlyMicro(diskPriceMicro, gb);
}

/** What it costs an hour while paused: the disk, and a share of the GPU price for holding the machine. */
export function pauseMicro(
  priceMicro: bigint,
  diskPriceMicro: bigint,
  gb: number,
  sharePercent: number,
): bigint {
  return divideHalfUp(priceMicro * BigInt(sharePercent), 100n) + diskHourlyMicro(diskPriceMicro, gb);
}
