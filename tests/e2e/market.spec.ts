import { expect, test } from "playwright/test";
import { operations } from "../../lib/contract/operations";
import { collectComplaints } from "./fixtures";
import { type RunningMarket, startMarket } from "./start-market";

let market: RunningMarket;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  market = await startMarket();
});
test.afterAll(() => market.stop());

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
  await other.context().close();
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

test("WEB-04 finds an operation by a few letters and sends it from the page", async ({ page }) => {
  const complaints = collectComplaints(page);
  await page.goto(`${market.url}/docs`);
  await page.keyboard.press("/");
  await page.keyboard.type("post market/search");
  const listed = page.getByRole("navigation", { name: "Parts of the API" }).getByRole("link");
  await expect(listed.filter({ hasText: "Search GPU rental offers" })).toHaveCount(1);
  await expect(listed.filter({ hasText: "Create a key" })).toHaveCount(0);
  const search = page.locator("article#searchMarket");
  await search.getByText("Try it").click();
  await search.getByLabel("API key").fill(market.demoKey);
  await search.getByLabel("Body (JSON)").fill('{"limit":1');
  await search.getByRole("button", { name: "Send" }).click();
  await expect(search.getByRole("alert")).toHaveText("The body is no JSON.");
  await search.getByLabel("Body (JSON)").fill('{"limit":1,"query":{"rentable":true}}');
  await search.getByRole("button", { name: "Send" }).click();
  await expect(search.getByRole("status")).toContainText("200 in");
  await expect(search.getByRole("status")).toContainText('"total_items"');
  expect(complaints).toEqual([]);
});

test("WEB-05 the command menu and the shortcuts lead everywhere by keyboard; language and theme stay as chosen", async ({
  page,
}) => {
  await page.goto(market.url);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Command menu" })).toBeVisible();
  await page.keyboard.type("api");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs$/);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Language, currency, theme" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveClass(/dark/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Language, currency, theme" }).click();
  await page.getByRole("menuitemradio", { name: "Русский" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Справочник API" })).toBeVisible();
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "ru");
  await expect(page.locator("html")).toHaveClass(/dark/);
});
