"use client";

import { useTranslations } from "next-intl";
import { Button, ButtonLink } from "@/components/ui/button";

export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const t = useTranslations("shell");
  const common = useTranslations("common.actions");
  return (
    <main className="mx-auto flex w-full max-w-2xl grow flex-col justify-center px-6 py-20">
      <h1 className="text-3xl font-semibold tracking-tight">{t("error.title")}</h1>
      <p className="mt-4 text-subtle">{t("error.text")}</p>
      {error.digest && (
        <p className="mt-2 font-mono text-sm text-subtle">{t("error.digest", { digest: error.digest })}</p>
      )}
      <div className="mt-8 flex gap-3">
        <Button variant="primary" onClick={reset}>
          {common("tryAgain")}
        </Button>
        <ButtonLink href="/">{t("notFound.home")}</ButtonLink>
      </div>
    </main>
  );
}
