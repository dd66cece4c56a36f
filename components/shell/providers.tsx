"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { NextIntlClientProvider } from "next-intl";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Toaster } from "@/components/ui/toaster";
import { makeQueryClient } from "@/lib/client/query-client";
import type { Currency } from "@/lib/contract/words";
import { BackListener } from "./back-listener";
import { CurrencyContext } from "./currency";
import { TimeZoneCookie } from "./time-zone-cookie";
import { type Visitor, VisitorContext } from "./visitor";

interface ProvidersProps
  extends Required<Pick<ComponentProps<typeof NextIntlClientProvider>, "locale" | "timeZone" | "messages">> {
  nonce: string | undefined;
  currency: Currency;
  visitor: Visitor | null;
  children: ReactNode;
}

/** Everything that all pages share in the browser. */
export function Providers({
  locale,
  timeZone,
  messages,
  nonce,
  currency,
  visitor,
  children,
}: ProvidersProps) {
  const [queries] = useState(makeQueryClient);
  return (
    <NextIntlClientProvider locale={locale} timeZone={timeZone} messages={messages}>
      <ThemeProvider
        attribute="class"
        defaultTheme="system"
        disableTransitionOnChange
        {...(nonce ? { nonce } : {})}
      >
        <QueryClientProvider client={queries}>
          <NuqsAdapter>
            <VisitorContext value={visitor}>
              <CurrencyContext value={currency}>{children}</CurrencyContext>
            </VisitorContext>
          </NuqsAdapter>
        </QueryClientProvider>
        <BackListener />
        <Toaster />
        <TimeZoneCookie />
      </ThemeProvider>
    </NextIntlClientProvider>
  );
}
