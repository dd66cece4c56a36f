import { type Locale, locales } from "../contract/words";

export const LOCALE_COOKIE = "berth_locale";
export const TIME_ZONE_COOKIE = "berth_time_zone";

export function isLocale(value: string | undefined): value is Locale {
  return locales.some((locale) => locale === value);
}
