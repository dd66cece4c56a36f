/** Hours and discount in per cent of each reserve period ("Money" of the decisions). */
export const reservePeriods = {
  hour: { hours: 1, discountPercent: 0 },
  day: { hours: 24, discountPercent: 0 },
  week: { hours: 168, discountPercent: 5 },
  month: { hours: 720, discountPercent: 20 },
  quarter: { hours: 2160, discountPercent: 30 },
  half_year: { hours: 4320, discountPercent: 40 },
  year: { hours: 8760, discountPercent: 40 },
} as const;

export type ReservePeriod = keyof typeof reservePeriods;
