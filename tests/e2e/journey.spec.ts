import { readFile } from "node:fs/promises";
import { callAs, collectComplaints, expect, test } from "./fixtures";

test("WEB-10 a new person goes all the way, from signing up to a ledger that adds up", async ({
  browser,
  market,
}) => {
  test.setTimeout(240_000);
  const context = await browser.newContext({ baseURL: market.url, locale: "en-US", acceptDownloads: true });
  const page = await context.newPage();
  const complaints = collectComplaints(page);
  const person = { context, origin: market.url };

  await test.step("signs up", async () => {
    await page.goto("/");
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Make an account" }).click();
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("E-mail").fill(`ada.${Date.now()}@example.com`);
    await page.getByLabel("New password").fill("analytical engine");
    await page.getByRole("button", { name: "Make an account" }).click();
    await expect(page.getByRole("heading", { name: "Cheapest now" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Account menu" })).toBeVisible();
  });

  await test.step("makes a key pair, whose private half stays here", async () => {
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.postData() ?? ""));
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "SSH keys" }).click();
    await page.getByRole("button", { name: "Add a key" }).first().click();
    await page.getByRole("tab", { name: "Make a pair here" }).click();
    await page.getByLabel("Name").fill("ada-laptop");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Make the pair" }).click();
    const file = await readFile(await (await download).path(), "utf8");
    expect(file).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----/);
    const body = file.split("\n")[2] ?? "";
    expect(sent.filter((text) => text.includes(body) || text.includes("PRIVATE"))).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    await expect(page.getByText("ada-laptop").first()).toBeVisible();
  });

  await test.step("writes a template", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Templates" }).click();
    await page.getByRole("link", { name: "New template" }).first().click();
    await page.getByLabel("Name", { exact: true }).first().fill("ada's trainer");
    await page.getByLabel("Image", { exact: true }).fill("pytorch/pytorch");
    await expect(page.getByRole("switch", { name: "SSH", exact: true })).toBeChecked();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await expect(page.getByText("The template is created.")).toBeVisible();
  });

  await test.step("finds the cheapest 24 GB GPU in Europe, and compares it with the next", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Market" }).click();
    await page.getByRole("switch", { name: "Can be rented now" }).click();
    await page.getByRole("button", { name: /^Place:/ }).click();
    await page.getByRole("checkbox", { name: /^Europe/ }).check();
    await page.keyboard.press("Escape");
    await page.getByLabel("From, Memory of one GPU").fill("24");
    await page.getByLabel("To, Memory of one GPU").fill("24");
    await expect(page).toHaveURL(/vram=24\.\.24/);
    const { data: cheapest } = await callAs(person, "searchMarket", {
      body: {
        query: { location: ["Europe"], vram_gt: 23, vram_lt: 25, rentable: true },
        sort_by: "price_asc",
        limit: 2,
      },
    });
    const rows = page.getByRole("table").locator("[data-row]");
    await expect(rows.first()).toContainText(cheapest[0]?.gpu_name ?? "");
    const boxes = page.getByRole("table").getByRole("checkbox");
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await expect(page.getByRole("dialog", { name: "Side by side" })).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("rents it", async () => {
    await page
      .getByRole("table")
      .locator("[data-row]")
      .first()
      .getByRole("button", { name: /^Rent/ })
      .click();
    const sheet = page.getByRole("dialog", { name: /^Rent/ });
    await sheet.getByRole("radio", { name: /ada's trainer/ }).click();
    await sheet.getByRole("checkbox", { name: /ada-laptop/ }).uncheck();
    await sheet.getByLabel("Name", { exact: true }).fill("first run");
    await sheet.getByRole("button", { name: /^Rent at/ }).click();
    await expect(page).toHaveURL(/\/instances\/inst_/);
  });

  await test.step("sees it run, and reads its log", async () => {
    await expect(page.getByRole("heading", { level: 1, name: "first run" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Pause" })).toBeVisible({ timeout: 30_000 });
    await page.getByRole("tab", { name: "Logs" }).click();
    await expect(page.getByRole("log")).toContainText(/\w/);
  });

  await test.step("pauses, starts and reboots it", async () => {
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await expect(page.getByRole("button", { name: "Start", exact: true })).toBeVisible({ timeout: 30_000 });
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await expect(page.getByRole("button", { name: "Reboot", exact: true })).toBeVisible({ timeout: 30_000 });
    await page.getByRole("button", { name: "Reboot", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reboot" }).click();
    await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible({ timeout: 30_000 });
  });

  await test.step("attaches the key", async () => {
    await page.getByRole("tab", { name: "Connect" }).click();
    await expect(page.getByText("No key is attached", { exact: false }).first()).toBeVisible();
    await page.getByRole("button", { name: "Attach" }).click();
    await expect(page.getByText("ada-laptop may log in")).toBeVisible();
  });

  await test.step("destroys it by typing its name", async () => {
    await page.getByRole("button", { name: "Destroy", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: "Destroy" })).toBeDisabled();
    await dialog.getByRole("textbox").fill("first run");
    await dialog.getByRole("button", { name: "Destroy" }).click();
    await expect(page.getByText("first run is destroyed").first()).toBeVisible({ timeout: 30_000 });
  });

  await test.step("the ledger adds up to the balance", async () => {
    await page.goto("/billing");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect
      .poll(async () => (await callAs(person, "getBilling")).data.accrued, { timeout: 30_000 })
      .toBe(0);
    const { data: entries } = await callAs(person, "listBillingEntries", { query: { limit: 100 } });
    const { data: billing } = await callAs(person, "getBilling");
    const micro = (amount: number) => Math.round(amount * 1e6);
    const sum = entries
      .filter(({ account }) => account === "balance")
      .reduce((all, { amount_usd }) => all + micro(amount_usd), 0);
    expect(sum).toBe(micro(billing.balance));
    expect(entries.some(({ kind }) => kind === "usage")).toBe(true);
  });
  expect(complaints).toEqual([]);
  await context.close();
});
