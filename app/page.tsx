import { CheapestOffers } from "@/components/market/cheapest-offers";
import { SiteHeader } from "@/components/site-header";

const STEPS = [
  {
    title: "Search",
    text: "Every offer says what it is, where it stands and what it costs by the hour. Thirty filters, nothing hidden.",
  },
  {
    title: "Rent",
    text: "An offer and a container image make an instance. One request rents it, and no two renters ever get the same machine.",
  },
  {
    title: "Run",
    text: "SSH in, pause, reboot, destroy. You pay by the second for what ran, and the price stays what it was.",
  },
];

function Hero() {
  return (
    <section className="py-20 sm:py-28">
      <h1 className="max-w-3xl text-balance text-4xl font-semibold tracking-tight sm:text-6xl">
        GPU servers, rented from a market you run yourself.
      </h1>
      <p className="mt-6 max-w-2xl text-pretty text-lg text-slate-600 dark:text-slate-300">
        Berth is an open, self-hosted marketplace: hosts offer machines, renters search and rent them, and
        programs do the same over one HTTP API.
      </p>
      <div className="mt-10 flex flex-wrap gap-3">
        <a
          href="/docs"
          className="rounded-lg border border-transparent bg-sky-700 px-5 py-2.5 font-medium text-white hover:bg-sky-800 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-sky-600"
        >
          Read the API
        </a>
        <a
          href="/v0/openapi.json"
          className="rounded-lg border border-slate-300 px-5 py-2.5 font-medium hover:bg-slate-100 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-sky-600 dark:border-slate-700 dark:hover:bg-slate-900"
        >
          OpenAPI document
        </a>
      </div>
    </section>
  );
}

export default function HomePage() {
  return (
    <div className="mx-auto flex w-full max-w-5xl grow flex-col px-6">
      <SiteHeader />
      <main className="grow">
        <Hero />
        <ol className="grid gap-4 pb-20 sm:grid-cols-3">
          {STEPS.map((step) => (
            <li
              key={step.title}
              className="rounded-xl border border-slate-200 bg-white p-6 dark:border-slate-800 dark:bg-slate-900"
            >
              <h2 className="font-semibold">{step.title}</h2>
              <p className="mt-2 text-sm leading-6 text-slate-600 dark:text-slate-300">{step.text}</p>
            </li>
          ))}
        </ol>
        <CheapestOffers />
      </main>
      <footer className="border-t border-slate-200 py-6 text-sm text-slate-600 dark:border-slate-800 dark:text-slate-400">
        Apache-2.0. Your market, your machines, your data.
      </footer>
    </div>
  );
}
