import { expect, type Page, test } from "playwright/test";
import { operations } from "../../lib/contract/operations";
import { type RunningMarket, startMarket } from "./start-market";

let market: RunningMarket;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  market = await startMarket();
});
test.afterAll(() => market.stop());

/** What the browser's console complains of, but the 401 of a visitor who is not signed in. */
function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("401")) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

test("WEB-01 tells a visitor what Berth is and how to sign in", async ({ page }) => {
  const complaints = collectComplaints(page);
  await page.goto(market.url);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("GPU servers");
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(complaints).toEqual([]);
});

test("WEB-02 lets the one-time link in once, and shows offers that say they are simulated", async ({
  page,
  browser,
}) => {
  const complaints = collectComplaints(page);
  await page.goto(market.signInLink);
  await expect(page).toHaveURL(`${market.url}/`);
  await expect(page.getByRole("row")).toHaveCount(9);
  await expect(page.getByText("simulated").first()).toBeVisible();
  await page.screenshot({ path: "test-results/home.png", fullPage: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: "test-results/home-phone.png", fullPage: true });
  const price = await page.getByRole("cell", { name: /^\$\d/ }).first().boundingBox();
  expect((price?.x ?? 390) + (price?.width ?? 0)).toBeLessThanOrEqual(390); // without scrolling sideways
  expect(complaints).toEqual([]);
  const other = await (await browser.newContext()).newPage();
  await other.goto(market.signInLink);
  await expect(other.getByRole("alert").first()).toBeVisible();
});

test("WEB-03 shows every operation of the API to anyone, also on a phone", async ({ page }) => {
  const complaints = collectComplaints(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${market.url}/docs`);
  await expect(page.getByRole("article")).toHaveCount(Object.keys(operations).length);
  const renting = page.getByRole("article", { name: "/v0/instances/create" });
  await renting.getByText("In the body").click();
  await expect(renting.getByText("expected_price", { exact: true }).first()).toBeVisible();
  await renting.scrollIntoViewIfNeeded();
  await page.screenshot({ path: "test-results/docs-phone.png" });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(complaints).toEqual([]);
});
