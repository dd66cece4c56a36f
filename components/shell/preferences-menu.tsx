"use client";

import { Settings2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useTheme } from "next-themes";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { CURRENCY_COOKIE } from "@/lib/client/currency";
import { writeCookie } from "@/lib/client/write-cookie";
import { currencies, locales } from "@/lib/contract/words";
import { LOCALE_COOKIE } from "@/lib/i18n/locales";
import { useCurrency } from "./currency";

const themes = ["system", "light", "dark"] as const;

/** Language, theme and currency, kept in this browser. */
export function PreferencesMenu() {
  const t = useTranslations("shell");
  const router = useRouter();
  const locale = useLocale();
  const currency = useCurrency();
  const { theme = "system", setTheme } = useTheme();
  const keep = (cookie: string) => (value: string) => {
    writeCookie(cookie, value);
    router.refresh();
  };
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label={t("preferences")}>
          <Settings2 aria-hidden="true" />
        </Button>
      }
      entries={[
        {
          kind: "choice",
          label: t("language.label"),
          value: locale,
          choices: locales.map((value) => ({ value, label: t(`language.${value}`) })),
          onSelect: keep(LOCALE_COOKIE),
        },
        { kind: "separator" },
        {
          kind: "choice",
          label: t("currency"),
          value: currency,
          choices: currencies.map((value) => ({ value, label: value })),
          onSelect: keep(CURRENCY_COOKIE),
        },
        { kind: "separator" },
        {
          kind: "choice",
          label: t("theme.label"),
          value: theme,
          choices: themes.map((value) => ({ value, label: t(`theme.${value}`) })),
          onSelect: setTheme,
        },
      ]}
    />
  );
}
