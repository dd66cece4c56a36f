import Negotiator from "negotiator";
import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { type Locale, locales } from "../contract/words";
import { isLocale, LOCALE_COOKIE, TIME_ZONE_COOKIE } from "./locales";
import { loadMessages } from "./messages";

/** The language and time zone of a page: what the visitor chose, else what the browser prefers. */
export default getRequestConfig(async () => {
  const chosen = await cookies();
  const locale = await chooseLocale(chosen.get(LOCALE_COOKIE)?.value);
  return {
    locale,
    messages: await loadMessages(locale),
    timeZone: knownTimeZone(chosen.get(TIME_ZONE_COOKIE)?.value) ?? "UTC",
    now: new Date(),
  };
});

async function chooseLocale(chosen: string | undefined): Promise<Locale> {
  if (isLocale(chosen)) return chosen;
  const preferred = new Negotiator({
    headers: { "accept-language": (await headers()).get("accept-language") ?? "" },
  }).language([...locales]);
  return isLocale(preferred) ? preferred : locales[0];
}

/** A visitor's cookie can say anything. */
function knownTimeZone(name: string | undefined): string | undefined {
  try {
    return name && new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
