import { reservePeriodHours } from "../contract/words";

/** Hours and discount in per cent of each reserve period ("Money" of the decisions). */
export const reservePeriods = {
  hour: { hours: reservePeriodHours.hour, discountPercent: 0 },
  day: { hours: reservePeriodHours.day, discountPercent: 0 },
  week: { hours: reservePeriodHours.week, discountPercent: 5 },
  month: { hours: reservePeriodHours.month, discountPercent: 20 },
  quarter: { hours: reservePeriodHours.quarter, discountPercent: 30 },
  half_year: { hours: reservePeriodHours.half_year, discountPercent: 40 },
  year: { hours: reservePeriodHours.year, discountPercent: 40 },
} as const;

export type ReservePeriod = keyof typeof reservePeriods;
