import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { getLocale, getMessages, getTimeZone, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { OfflineNotice } from "@/components/shell/offline-notice";
import { Providers } from "@/components/shell/providers";
import { SiteHeader } from "@/components/shell/site-header";
import { pickMessages } from "@/lib/i18n/messages";
import { getVisitor } from "./_visitor/get-visitor";
import { visitorCurrency } from "./_visitor/visitor-currency";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Berth", template: "%s · Berth" },
  description: "An open, self-hosted marketplace for renting GPU servers",
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, messages, timeZone, t, visitor, currency, sent] = await Promise.all([
    getLocale(),
    getMessages(),
    getTimeZone(),
    getTranslations("shell"),
    getVisitor(),
    visitorCurrency(),
    headers(),
  ]);
  return (
    // The theme is known in the browser alone, and stands in a class of this element.
    <html lang={locale} suppressHydrationWarning>
      <body className="flex min-h-dvh flex-col">
        <Providers
          locale={locale}
          timeZone={timeZone}
          messages={pickMessages(messages, ["common", "shell"])}
          nonce={sent.get("x-nonce") ?? undefined}
          currency={currency}
          visitor={visitor}
        >
          <a
            href="#content"
            className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-primary focus:px-4 focus:py-2 focus:text-on-primary"
          >
            {t("skipToContent")}
          </a>
          <SiteHeader />
          <OfflineNotice />
          <div id="content" tabIndex={-1} className="flex grow flex-col outline-none">
            {children}
          </div>
        </Providers>
      </body>
    </html>
  );
}
