import { NextIntlClientProvider } from "next-intl";
import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import { type Namespace, pickMessages } from "@/lib/i18n/messages";

/** Gives the browser the texts of these features, beside those of all pages. */
export async function PageMessages({ of, children }: { of: readonly Namespace[]; children: ReactNode }) {
  const messages = await getMessages();
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ["common", "shell", ...of])}>
      {children}
    </NextIntlClientProvider>
  );
}
