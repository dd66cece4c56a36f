import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "@/components/ui/button";

export const metadata: Metadata = { title: "404" };

export default async function NotFound() {
  const t = await getTranslations("shell.notFound");
  return (
    <main className="mx-auto flex w-full max-w-2xl grow flex-col justify-center px-6 py-20">
      <p className="font-mono text-sm text-primary">404</p>
      <h1 className="mt-3 text-3xl font-semibold tracking-tight">{t("title")}</h1>
      <p className="mt-4 text-subtle">{t("text")}</p>
      <div className="mt-8 flex gap-3">
        <ButtonLink href="/market" variant="primary">
          {t("market")}
        </ButtonLink>
        <ButtonLink href="/">{t("home")}</ButtonLink>
      </div>
    </main>
  );
}
