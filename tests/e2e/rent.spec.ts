import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright/test";
import { operations } from "../../lib/contract/operations";
import { expect, phone, takeOffer, test } from "./fixtures";
import type { RunningMarket } from "./start-market";

async function balanceOf(page: Page): Promise<number> {
  const answer = await page.request.get("/v0/billing");
  return operations.getBilling.response.parse(await answer.json()).data.balance;
}

/** Presses Tab until the keyboard is on what the test means. */
async function tabTo(page: Page, role: "button" | "radio" | "checkbox" | "textbox", name: RegExp | string) {
  const target = page.getByRole(role, { name });
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${name}`);
}

const instancePage = /\/instances\/inst_\w+$/;

test("WEB-36 rents by keyboard alone", async ({ enter }) => {
  const person = await enter();
  const { page } = person;
  const offer = await takeOffer(person);
  await page.goto(`/market?rent=${offer.id}`);
  await expect(page.getByRole("dialog").getByText("simulated", { exact: true })).toBeVisible();
  await tabTo(page, "textbox", "Name");
  await page.keyboard.type("by keyboard");
  await tabTo(page, "button", /^Rent at/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(instancePage);
});

test("WEB-37 rents on a phone, with a key that is pasted there, and refuses a private one", async ({
  enter,
}) => {
  const person = await enter({ viewport: phone });
  const { page } = person;
  const offer = await takeOffer(person);
  await page.goto(`/market?rent=${offer.id}`);
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByText("nobody could get in")).toBeVisible();
  await sheet.getByRole("button", { name: "Add a key" }).click();
  const field = sheet.getByRole("textbox", { name: "Public key" });
  await field.fill("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA");
  await expect(sheet.getByText("This is a private key")).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Save the key" })).toBeDisabled();
  await field.fill("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFw8TX4qlbXXZAWIhF4eV8Hy3qmbKwzwNVLqrLNYWQ+X phone");
  await sheet.getByRole("button", { name: "Save the key" }).click();
  await expect(sheet.getByRole("checkbox", { name: /^phone/ })).toBeChecked();
  await expect(sheet.getByText("nobody could get in")).toBeHidden();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await sheet.getByRole("button", { name: /^Rent at/ }).click();
  await expect(page).toHaveURL(instancePage);
});

test("WEB-38 rents in Russian", async ({ enter }) => {
  const person = await enter({ locale: "ru", currency: "RUB" });
  const { page } = person;
  const offer = await takeOffer(person);
  await page.goto(`/market?rent=${offer.id}`);
  await page.getByRole("button", { name: /^Арендовать за .*₽/ }).click();
  await expect(page).toHaveURL(instancePage);
});

test("WEB-39 of two tabs that rent one offer one wins, and the other is told, offered another, and takes it", async ({
  enter,
}) => {
  const person = await enter();
  const { page, context } = person;
  const other = await context.newPage();
  const offer = await takeOffer(person);
  const tabs = [page, other];
  await Promise.all(tabs.map((tab) => tab.goto(`/market?rent=${offer.id}`)));
  await Promise.all(tabs.map((tab) => tab.getByRole("button", { name: /^Rent at/ }).click()));
  await expect
    .poll(() => tabs.filter((tab) => instancePage.test(tab.url())).length, { timeout: 30_000 })
    .toBe(1);
  const loser = instancePage.test(page.url()) ? other : page;
  await expect(loser.getByText("Taken a moment ago")).toBeVisible();
  await loser.getByRole("button", { name: "Take this one" }).click();
  await loser.getByRole("button", { name: /^Rent at/ }).click();
  await expect(loser).toHaveURL(instancePage);
  const list = await loser.request.get("/v0/instances");
  const rented = operations.listInstances.response.parse(await list.json()).data;
  expect(rented).toHaveLength(2);
});

/** A key of the demo's host owner, made as an operator makes one. */
async function ownerKey(market: RunningMarket): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [".programs/berth.js", "key", "create", "--email", "owner@demo.invalid", "--name", "reprice"],
    { env: { ...process.env, DATA_DIR: market.dataDir, LOG_LEVEL: "silent" } },
  );
  return JSON.parse(stdout).api_key;
}

test("WEB-32 tells of a reprice in between, charges nothing, and rents at the new price once it is accepted", async ({
  enter,
  market,
}) => {
  const { page } = await enter();
  const headers = { "x-api-key": await ownerKey(market) };
  await page.goto("/templates");
  const list = await page.request.get("/v0/hosts", { headers });
  const host = operations.listHosts.response
    .parse(await list.json())
    .data.find(({ offer }) => offer.rentable && offer.gpu_amount === 1);
  if (!host) throw new Error("the demo owner has no machine that can be rented");
  await page.goto(`/market?rent=${host.offer.id}`);
  await expect(page.getByRole("button", { name: /^Rent at \$0\.39/ })).toBeVisible();
  const before = await balanceOf(page);
  // Between the click and the server.
  await page.route(
    "**/v0/instances/create",
    async (route) => {
      const repriced = await page.request.put(`/v0/hosts/${host.id}`, { data: { price: 0.47 }, headers });
      expect(repriced.ok(), await repriced.text()).toBe(true);
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: /^Rent at/ }).click();
  await expect(page.getByText("The price has changed")).toBeVisible();
  await expect(page.getByText("It was $0.390/h and is $0.470/h now.")).toBeVisible();
  expect(await balanceOf(page)).toBe(before);
  await page.getByRole("button", { name: /^Rent at \$0\.47/ }).click();
  await expect(page).toHaveURL(instancePage);
});
