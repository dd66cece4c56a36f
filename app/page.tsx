import { getTranslations } from "next-intl/server";
import { CheapestOffers } from "@/components/home/cheapest-offers";
import { ButtonLink } from "@/components/ui/button";
import { cheapestSearch } from "@/lib/client/cheapest-search";
import { FirstPaint, read } from "./_visitor/first-paint";
import { getVisitor } from "./_visitor/get-visitor";
import { PageMessages } from "./_visitor/page-messages";
import { visitorCurrency } from "./_visitor/visitor-currency";

const steps = ["search", "rent", "run"] as const;

export default async function HomePage() {
  const t = await getTranslations("home");
  const [visitor, currency] = await Promise.all([getVisitor(), visitorCurrency()]);
  const reads = visitor ? [read("searchMarket", { body: cheapestSearch(currency) })] : [];
  return (
    <>
      <main className="mx-auto w-full max-w-5xl grow px-6">
        <section className="py-16 sm:py-24">
          <h1 className="max-w-3xl text-balance text-4xl font-semibold tracking-tight sm:text-6xl">
            {t("title")}
          </h1>
          <p className="mt-6 max-w-2xl text-pretty text-lg text-subtle">{t("lead")}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <ButtonLink href="/market" variant="primary" size="lg">
              {t("toMarket")}
            </ButtonLink>
            <ButtonLink href="/docs" size="lg">
              {t("readApi")}
            </ButtonLink>
          </div>
        </section>
        <ol className="grid gap-4 pb-16 sm:grid-cols-3">
          {steps.map((step) => (
            <li key={step} className="rounded-xl border bg-surface p-6">
              <h2 className="font-semibold">{t(`steps.${step}.title`)}</h2>
              <p className="mt-2 text-sm leading-6 text-subtle">{t(`steps.${step}.text`)}</p>
            </li>
          ))}
        </ol>
        <section aria-labelledby="cheapest" className="pb-16">
          <h2 id="cheapest" className="text-2xl font-semibold tracking-tight">
            {t("cheapest.title")}
          </h2>
          <PageMessages of={["home"]}>
            <FirstPaint reads={reads}>
              <CheapestOffers />
            </FirstPaint>
          </PageMessages>
        </section>
      </main>
      <footer className="border-t px-6 py-6 text-center text-sm text-subtle">{t("footer")}</footer>
    </>
  );
}
