import { type BrowserContext, test as base, expect, type Page } from "playwright/test";
import { type AnswerOf, type Call, toRequest } from "../../lib/client/call-operation";
import type { OperationName } from "../../lib/contract/operations";
import type { Currency } from "../../lib/contract/words";
import { type RunningMarket, startMarket } from "./start-market";

export { expect };

/** Somebody with an account, signed in in a browser of their own. */
export interface Person {
  email: string;
  password: string;
  context: BrowserContext;
  page: Page;
  /** Of the market. */
  origin: string;
}

interface Preferences {
  locale?: "en" | "ru";
  currency?: Currency;
  viewport?: { width: number; height: number };
  colorScheme?: "light" | "dark";
}

export const phone = { width: 390, height: 844 };

interface Fixtures {
  /** Makes an account and signs in; the browser closes with the test, which fails if a page complained. */
  enter: (preferences?: Preferences) => Promise<Person>;
}

/** Calls the API with the session of a browser, past its pages. */
export async function callAs<Name extends OperationName>(
  { context, origin }: Pick<Person, "context" | "origin">,
  name: Name,
  call: Call<Name> = {},
): Promise<AnswerOf<Name>> {
  const { url, init } = toRequest(name, call);
  const answer = await context.request.fetch(`${origin}${url}`, {
    method: init.method,
    headers: { ...init.headers, origin },
    ...(init.body === undefined ? {} : { data: init.body }),
  });
  if (!answer.ok()) throw new Error(`${name} answered ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

const taken = new Set<string>();

/**
 * The cheapest offer that can be rented now, each given once: for a moment a search still shows what another test has
 * rented.
 */
export async function takeOffer(
  person: Pick<Person, "context" | "origin">,
  query: { vram_gt?: number } = {},
): Promise<AnswerOf<"searchMarket">["data"][number]> {
  const { data } = await callAs(person, "searchMarket", {
    body: { query: { ...query, rentable: true }, limit: 100 },
  });
  const offer = data.find(({ id }) => !taken.has(id));
  if (!offer) throw new Error("nothing can be rented");
  taken.add(offer.id);
  return offer;
}

let people = 0;

/** Tests of pages: one market for all files, and people with accounts of their own. */
export const test = base.extend<Fixtures, { market: RunningMarket }>({
  market: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its pattern.
    async ({}, use) => {
      const market = await startMarket({ RATE_LIMIT: "off" });
      await use(market);
      await market.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  enter: async ({ browser, market }, use) => {
    const contexts: BrowserContext[] = [];
    const complaints: string[] = [];
    await use(async ({ locale = "en", currency = "USD", ...look } = {}) => {
      const context = await browser.newContext({ baseURL: market.url, ...look });
      contexts.push(context);
      await context.addCookies([
        { name: "berth_locale", value: locale, url: market.url },
        { name: "berth_currency", value: currency, url: market.url },
      ]);
      people += 1;
      const person = {
        email: `person${people}.${Date.now()}@example.com`,
        password: "a long enough password",
      };
      const answer = await context.request.post("/auth/sign-up/email", {
        data: { name: `Person ${people}`, ...person },
        headers: { origin: market.url },
      });
      expect(answer.ok(), await answer.text()).toBe(true);
      const page = await context.newPage();
      collectComplaints(page, complaints);
      return { ...person, context, page, origin: market.url };
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(complaints, "what the pages complained of").toEqual([]);
  },
});

/**
 * What a page's console complains of: errors of scripts, refused by the policy, things that are not there. That the API
 * refused something is the page's to say, not a complaint.
 */
export function collectComplaints(page: Page, complaints: string[] = []): string[] {
  page.on("console", (message) => {
    const refused =
      /the server responded with a status of 4\d\d/.test(message.text()) &&
      message.location().url.includes("/v0/");
    if (message.type() === "error" && !refused)
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}
