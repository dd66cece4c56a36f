import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, expect, type Page } from "playwright/test";
import { collectComplaints, phone, test } from "./fixtures";
import { settle } from "./settle";
import { furnish } from "./whole-market";

test("WEB-90 axe finds nothing serious on any page, light and dark, in English and Russian", async ({
  browser,
  market,
}) => {
  test.setTimeout(600_000);
  const { context, origin, pages } = await furnish(browser, market);
  const found: string[] = [];
  for (const locale of ["en", "ru"]) {
    await context.addCookies([{ name: "berth_locale", value: locale, url: origin }]);
    const left = Object.entries(pages);
    const lane = async () => {
      for (let next = left.pop(); next; next = left.pop()) {
        const [name, path] = next;
        const problems = await judge(context, name, path, locale === "en");
        found.push(...problems.map((problem) => `${name} ${locale} ${problem}`));
      }
    };
    await Promise.all([lane(), lane()]);
  }
  await context.close();
  expect(found).toEqual([]);
});

/** The rules about colours, which are the same in every language; they take most of axe's time. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** What is wrong with a page, its colours in both themes or not at all. */
async function judge(
  context: BrowserContext,
  name: string,
  path: string,
  withColours: boolean,
): Promise<string[]> {
  const page = await context.newPage();
  const complaints = collectComplaints(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(path);
  await settle(page);
  const axe = new AxeBuilder({ page });
  if (!withColours) axe.disableRules(COLOURS);
  let light = await listSerious(page, axe);
  // Base UI names its fields in an effect after hydration, which a busy machine may run after the first look.
  if (light.length > 0) light = await listSerious(page, axe);
  const dark = withColours ? await listDark(page) : [];
  await page.close();
  return [...light, ...dark.map((problem) => `dark ${problem}`), ...(name === "not-found" ? [] : complaints)];
}

async function listDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveClass(/\bdark\b/);
  // The theme changes colours alone, so only the rules about them can answer otherwise.
  return listSerious(page, new AxeBuilder({ page }).withRules(COLOURS));
}

async function listSerious(page: Page, axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${page.url()}: ${id} at ${nodes[0]?.target} ${nodes[0]?.failureSummary}`);
}

test("WEB-91 no page scrolls sideways on a phone", async ({ browser, market }) => {
  test.setTimeout(300_000);
  const { context, pages } = await furnish(browser, market);
  const page = await context.newPage();
  await page.setViewportSize(phone);
  const wide: string[] = [];
  for (const path of Object.values(pages)) {
    await page.goto(path);
    await settle(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) wide.push(`${path} by ${over}`);
  }
  await context.close();
  expect(wide).toEqual([]);
});
