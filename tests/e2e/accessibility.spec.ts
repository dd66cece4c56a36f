import AxeBuilder from "@axe-core/playwright";
import { expect } from "playwright/test";
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
    for (const [name, path] of Object.entries(pages)) {
      const page = await context.newPage();
      const complaints = collectComplaints(page);
      await page.goto(path);
      await page.emulateMedia({ colorScheme: "light" });
      await settle(page);
      const report = async (look: string, axe: AxeBuilder) => {
        const { violations } = await axe.analyze();
        const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        found.push(
          ...serious.map(
            ({ id, nodes }) =>
              `${name} ${locale} ${look}: ${id} at ${nodes[0]?.target} ${nodes[0]?.failureSummary}`,
          ),
        );
      };
      await report("light", new AxeBuilder({ page }));
      await page.emulateMedia({ colorScheme: "dark" });
      await expect(page.locator("html")).toHaveClass(/\bdark\b/);
      // The theme changes colours alone, so only the rules about them can answer otherwise.
      await report("dark", new AxeBuilder({ page }).withRules(["color-contrast", "link-in-text-block"]));
      if (name !== "not-found")
        found.push(...complaints.map((complaint) => `${name} ${locale}: ${complaint}`));
      await page.close();
    }
  }
  await context.close();
  expect(found).toEqual([]);
});

test("WEB-91 no page scrolls sideways on a phone", async ({ market, enter }) => {
  test.setTimeout(300_000);
  const { page } = await enter({ viewport: phone });
  const paths = [
    "/",
    "/market",
    "/gpus",
    "/gpus/rtx-4090",
    "/templates",
    "/templates/new",
    "/instances",
    "/keys",
    "/api-keys",
    "/account",
    "/billing",
    "/hosts",
    "/docs",
  ];
  const wide: string[] = [];
  for (const path of paths) {
    await page.goto(`${market.url}${path}`);
    await settle(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) wide.push(`${path} by ${over}`);
  }
  expect(wide).toEqual([]);
});
