import { expect, phone, test } from "./fixtures";

test("WEB-20 finds offers by filters that stand in the address, and goes back", async ({ enter }) => {
  const { page } = await enter();
  await page.goto("/market");
  const found = page.getByRole("status").filter({ hasText: "offer" });
  const all = await found.textContent();
  await page.getByRole("switch", { name: "Can be rented now" }).click();
  await expect(page).toHaveURL(/rentable=true/);
  await expect(found).not.toHaveText(all ?? "");
  await page.getByLabel("From, Memory of one GPU").fill("24");
  await page.getByLabel("To, Memory of one GPU").fill("24");
  await expect(page).toHaveURL(/vram=24\.\.24/);
  const rows = page.getByRole("table").locator("[data-row]");
  await expect(rows.first()).toContainText("24 GB");
  // Of a page that is loaded anew the count is that of its address; before, it may be that of half of the filter.
  await page.reload();
  const few = await found.textContent();
  expect(few).not.toBe(all);
  await expect(page.getByLabel("From, Memory of one GPU")).toHaveValue("24");
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(found).toHaveText(all ?? "");
  await expect(page).not.toHaveURL(/vram/);
  await page.goBack();
  await expect(found).toHaveText(few ?? "");
});

test("WEB-27 goes back also where that is done before all of a page is awake", async ({ enter }) => {
  const { page } = await enter();
  // One load in five is awake in time by itself.
  for (let load = 0; load < 4; load += 1) {
    await page.goto("about:blank");
    await page.goto("/market?rentable=true", { waitUntil: "commit" });
    await page.evaluate(async () => {
      while (location.search !== "") {
        const buttons = [...document.querySelectorAll("button")];
        buttons.find(({ textContent }) => textContent === "Clear all")?.click();
        await new Promise((resolve) => setTimeout(resolve));
      }
      history.back();
    });
    await expect(page).toHaveURL(/rentable=true/);
    await expect(page.getByRole("switch", { name: "Can be rented now" })).toBeChecked();
  }
});

test("WEB-21 says which one filter to drop where nothing is found, and drops it", async ({ enter }) => {
  const { page } = await enter();
  await page.goto("/market?in=Europe&cpu=nothing-of-this-name");
  await expect(page.getByText("No offer meets all of that.")).toBeVisible();
  await page.getByRole("button", { name: /^Without “CPU name”: \d+ offers$/ }).click();
  await expect(page.getByRole("table").locator("[data-row]").first()).toBeVisible();
  await expect(page).toHaveURL(/in=Europe$/);
});

test("WEB-22 sets offers side by side and says where they differ", async ({ enter }) => {
  const { page } = await enter();
  await page.goto("/market");
  const boxes = page.getByRole("table").getByRole("checkbox");
  await boxes.nth(0).check();
  await expect(page.getByRole("button", { name: "Compare", exact: true })).toBeDisabled();
  await boxes.nth(1).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page).toHaveURL(/compare=offer_/);
  const dialog = page.getByRole("dialog", { name: "Side by side" });
  await expect(dialog.getByRole("row", { name: /Differs: Price per hour/ })).toContainText("best");
  await page.reload();
  await expect(dialog.getByRole("columnheader")).toHaveCount(3);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("WEB-23 keeps a search under a name, opens it and deletes it", async ({ enter }) => {
  const { page } = await enter();
  await page.goto("/market?n=2&sort=score_desc");
  await page.getByRole("button", { name: "Saved" }).click();
  await page.getByLabel("Save this search as").fill("pairs");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "pairs", exact: true })).toBeVisible();
  await page.goto("/market");
  await page.getByRole("button", { name: "Saved" }).click();
  await page.getByRole("button", { name: "pairs", exact: true }).click();
  await expect(page).toHaveURL(/n=2.*sort=score_desc/);
  await page.getByRole("button", { name: "Delete pairs" }).click();
  await expect(page.getByText("None yet.")).toBeVisible();
});

test("WEB-24 walks to the last of all offers, whose page is loaded as it comes into sight", async ({
  enter,
}) => {
  const { page } = await enter();
  await page.goto("/market");
  const table = page.getByRole("table");
  // Others come and go meanwhile, and the last row with them.
  await expect(async () => {
    const last = await table.getAttribute("aria-rowcount");
    await page
      .getByRole("region", { name: "Offers" })
      .evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
    await expect(table.locator(`[data-row][aria-rowindex="${last}"]`)).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
});

test("WEB-25 shows offers as cards on a phone, with the filters in a sheet", async ({ enter }) => {
  const { page } = await enter({ viewport: phone, locale: "ru" });
  await page.goto("/market");
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.getByRole("button", { name: "Фильтры" }).click();
  await page.getByRole("dialog").getByRole("switch", { name: "Можно арендовать сейчас" }).click();
  await page.getByRole("button", { name: /^Показать \d+ предложени/ }).click();
  await expect(page).toHaveURL(/rentable=true/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test("WEB-26 has a page for each GPU and provider, with offers that lead to the market", async ({
  enter,
}) => {
  const { page } = await enter();
  await page.goto("/gpus");
  await page.getByRole("link", { name: /^RTX 4090 24 GB/ }).click();
  await expect(page).toHaveURL(/\/gpus\/rtx-4090$/);
  await expect(page.getByRole("heading", { level: 1, name: "RTX 4090" })).toBeVisible();
  await expect(page).toHaveTitle(/RTX 4090/);
  await page.getByRole("link", { name: "On the market", exact: true }).click();
  await expect(page).toHaveURL(/\/market\?gpu=rtx-4090/);
  await page.getByRole("table").getByRole("link").and(page.locator('[href^="/providers/"]')).first().click();
  await expect(page.getByRole("heading", { name: "Offers now" })).toBeVisible();
});
