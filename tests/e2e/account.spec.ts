import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { APIRequestContext } from "playwright/test";
import { expect, test } from "./fixtures";

async function signIn(request: APIRequestContext, origin: string, email: string, password: string) {
  const answer = await request.post(`${origin}/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin },
  });
  return answer.status();
}

test("WEB-57 changes name and password, and signs other browsers out on demand", async ({
  enter,
  playwright,
}) => {
  const { page, email, password, origin } = await enter();
  const next = "an even longer password";
  const other = await playwright.request.newContext();
  expect(await signIn(other, origin, email, password)).toBe(200);
  await page.goto("/account");
  await page.getByRole("textbox", { name: "Name" }).fill("Mira of the tests");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The name is changed")).toBeVisible();

  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByLabel("New password")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Current password")).toHaveValue(password);
  await page.getByLabel("New password").fill(next);
  await page.getByRole("checkbox", { name: "Sign out everywhere else" }).uncheck();
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("The password is changed")).toBeVisible();
  expect((await other.get(`${origin}/v0/account`)).status()).toBe(200);

  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(page.getByText("You are signed out everywhere else")).toBeVisible();
  expect((await other.get(`${origin}/v0/account`)).status()).toBe(401);
  expect((await page.request.get("/v0/account")).status()).toBe(200);
  expect(await signIn(other, origin, email, password)).toBe(401);
  expect(await signIn(other, origin, email, next)).toBe(200);
  await other.dispose();
});

test("WEB-58 is told why an account cannot be deleted yet; once it is, nobody signs in to it", async ({
  enter,
  market,
  playwright,
}) => {
  const { page, email, password, origin } = await enter();
  await page.goto("/account");
  await page.getByRole("button", { name: "Delete my account" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("under a pseudonym")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Delete my account" })).toBeDisabled();
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Delete my account" }).click();
  await expect(dialog.getByRole("alert")).toContainText("The balance is 100 USD");

  const take = ["account", "debit", "--email", email, "--amount", "100", "--reference", `leaves ${email}`];
  await promisify(execFile)(process.execPath, [".programs/berth.js", ...take], {
    env: { ...process.env, DATA_DIR: market.dataDir },
  });
  await dialog.getByRole("button", { name: "Delete my account" }).click();
  await expect(page).toHaveURL(`${origin}/`);
  await expect(page.getByRole("link", { name: "Sign in" }).first()).toBeVisible();
  const other = await playwright.request.newContext();
  expect(await signIn(other, origin, email, password)).toBe(401);
  await other.dispose();
});
