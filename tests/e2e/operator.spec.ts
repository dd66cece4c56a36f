import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { callAs, expect, type Person, test as peopled, phone, takeOffer } from "./fixtures";
import { signInAsOperator } from "./people";

const test = peopled.extend<{ operator: Person }>({
  operator: async ({ enter, market }, use) => {
    const person = await enter();
    const email = await signInAsOperator(person.context, market);
    await use({ ...person, email });
  },
});

/** Answers what the search of an operator's list finds: one row. */
async function findRow(page: Page, list: string, search: string) {
  await page.goto(`/operator/${list}?search=${encodeURIComponent(search)}`);
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: search });
  await expect(row).toHaveCount(1);
  return row;
}

async function credit(operator: Person, email: string, amount: number): Promise<void> {
  const { data } = await callAs(operator, "listOperatorAccounts", { query: { search: email } });
  await callAs(operator, "creditAccount", {
    params: { account_id: data[0]?.id ?? "" },
    body: { kind: "credit", amount, reference: "for a test" },
  });
}

test("WEB-70 the operator's pages are there for operators alone", async ({
  enter,
  operator,
  browser,
  market,
}) => {
  const { page } = await enter();
  for (const path of ["/operator", "/operator/accounts", "/operator/ledger"]) {
    const answer = await page.request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(404);
  }
  const stranger = await browser.newContext({ baseURL: market.url });
  const outside = await stranger.newPage();
  await outside.goto("/operator/rates");
  await expect(outside).toHaveURL(/\/sign-in\?next=%2Foperator%2Frates/);
  await stranger.close();
  await operator.page.goto("/operator");
  await expect(operator.page.getByRole("heading", { level: 1, name: "Accounts" })).toBeVisible();
  await operator.page.setViewportSize(phone);
  for (const name of ["Hosts", "Instances", "Templates", "Exchange rates", "Ledger check", "Imports"]) {
    const part = name.split(" ")[name === "Exchange rates" ? 1 : 0] ?? "";
    await operator.page
      .getByRole("navigation", { name: "Operator" })
      .getByRole("link", { name: new RegExp(part, "i") })
      .click();
    await expect(operator.page.getByRole("heading", { level: 1, name })).toBeVisible();
    const over = await operator.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over, name).toBeLessThanOrEqual(0);
  }
});

test("WEB-71 an operator makes an account, credits it once a reference, and suspends it", async ({
  operator,
  browser,
  market,
}) => {
  const { page } = operator;
  const email = `made.${Date.now()}@example.com`;
  await page.goto("/operator/accounts");
  await page.getByRole("button", { name: "New account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail address").fill(operator.email);
  await dialog.getByLabel("Name", { exact: true }).fill("Grace");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByLabel("E-mail address").fill(email);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog.getByRole("heading", { name: `${email} has an account` })).toBeVisible();
  const link = (await dialog.locator("pre").textContent()) ?? "";
  expect(link).toMatch(/^http/);
  await dialog.getByRole("button", { name: "Close" }).last().click();

  const theirs = await browser.newContext({ baseURL: market.url });
  await (await theirs.newPage()).goto(link);
  expect((await theirs.request.get("/v0/account")).status()).toBe(200);

  const row = await findRow(page, "accounts", email);
  for (const again of [false, true]) {
    await row.getByRole("button", { name: `Money: ${email}` }).click();
    await dialog.getByLabel("Amount in USD").fill(again ? "twelve" : "12,5");
    await dialog.getByLabel("Reference").fill("invoice 7");
    await dialog.getByRole("button", { name: "Add to the balance" }).click();
    if (again) {
      await expect(dialog.getByText("A number with at most six decimals")).toBeVisible();
      await dialog.getByLabel("Amount in USD").fill("12.5");
      await dialog.getByRole("button", { name: "Add to the balance" }).click();
    }
    await expect(dialog).toBeHidden();
    await expect(row).toContainText("$12.50");
  }

  await row.getByRole("button", { name: `More for ${email}` }).click();
  await page.getByRole("menuitem", { name: "Suspend" }).click();
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await expect(row.getByText("suspended", { exact: true })).toBeVisible();
  expect((await theirs.request.get("/v0/account")).status()).toBe(401);
  await row.getByRole("button", { name: `More for ${email}` }).click();
  await page.getByRole("menuitem", { name: "Restore" }).click();
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(row.getByText("suspended", { exact: true })).toBeHidden();
  await theirs.close();
});

test("WEB-72 an operator verifies a host and bans it, told what that does", async ({ operator }) => {
  const { page } = operator;
  const { data } = await callAs(operator, "listOperatorHosts", { query: { limit: 1 } });
  const host = data[0];
  if (!host) throw new Error("the demo market has no host");
  if (host.verified_at) {
    await callAs(operator, "judgeHost", { params: { host_id: host.id }, body: { verdict: "unverify" } });
  }
  const row = await findRow(page, "hosts", host.id);
  await row.getByRole("button", { name: "Verify" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Verify" }).click();
  await expect(row.getByText("verified", { exact: true })).toBeVisible();
  await row.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Ban" }).click();
  await expect(page.getByRole("dialog")).toContainText("leaves the market");
  await page.getByRole("dialog").getByRole("button", { name: "Ban" }).click();
  await expect(row.getByText("banned", { exact: true })).toBeVisible();
  await row.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Lift the ban" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Lift the ban" }).click();
  await expect(row.getByText("banned", { exact: true })).toBeHidden();
});

test("WEB-73 an operator publishes a template, and another person sees it", async ({ enter, operator }) => {
  const [owner, other] = [await enter(), await enter()];
  const { data: template } = await callAs(owner, "createTemplate", {
    body: { name: `Shared ${Date.now()}`, image: "ubuntu", image_tag: "24.04", is_private: false },
  });
  const seen = async () =>
    (await callAs(other, "listTemplates")).data.some(({ id }: { id: string }) => id === template.id);
  expect(await seen()).toBe(false);
  const row = await findRow(operator.page, "templates", template.id);
  await row.getByRole("button", { name: "Publish" }).click();
  await expect(row.getByText("published", { exact: true })).toBeVisible();
  expect(await seen()).toBe(true);
  await row.getByRole("button", { name: "Unpublish" }).click();
  await expect(row.getByText("published", { exact: true })).toBeHidden();
  expect(await seen()).toBe(false);
});

test("WEB-74 an operator flags another's instance and destroys it, and its renter reads why", async ({
  enter,
  operator,
}) => {
  const { page } = operator;
  const renter = await enter();
  await credit(operator, renter.email, 50);
  const { data: template } = await callAs(renter, "createTemplate", {
    body: { name: "Plain", image: "ubuntu", image_tag: "24.04" },
  });
  const offer = await takeOffer(renter);
  const name = `mine-${Date.now()}`;
  await callAs(renter, "createInstance", {
    body: { offer_id: offer.id, template_id: template.id, name },
  });

  const row = await findRow(page, "instances", name);
  await row.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Flag" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note for operators").fill("<b>Look</b> at it");
  await dialog.getByRole("button", { name: "Flag" }).click();
  await expect(row.getByText("flagged", { exact: true })).toBeVisible();
  await expect(row).toContainText("<b>Look</b> at it");

  await row.getByRole("button", { name: `Destroy: ${name}` }).click();
  await expect(dialog).toContainText(`It belongs to ${renter.email}`);
  await dialog.getByLabel("Reason").fill("It mines on a host that forbids it");
  await expect(dialog.getByRole("button", { name: "Destroy" })).toBeDisabled();
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await dialog.getByRole("button", { name: "Destroy" }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toBeHidden();

  const { data: instances } = await callAs(operator, "listOperatorInstances", {
    query: { search: name, status: "destroyed" },
  });
  await renter.page.goto(`/instances/${instances[0]?.id}`);
  await expect(renter.page.getByText("It mines on a host that forbids it").first()).toBeVisible();
});

test("WEB-75 an operator sets a rate with its preview, and the ledger check holds", async ({ operator }) => {
  const { page } = operator;
  await page.goto("/operator/rates");
  await page.getByRole("combobox", { name: "Currency" }).click();
  await page.getByRole("option", { name: "QOIN" }).click();
  const rate = page.getByLabel("1 USD is");
  await rate.fill("0,0,1");
  await page.getByRole("button", { name: "Set from now on" }).click();
  await expect(page.getByText("A number above zero")).toBeVisible();
  await rate.fill("1.2345");
  await expect(page.getByText("$2.500 will show as 3.086 QOIN.")).toBeVisible();
  await page.getByRole("button", { name: "Set from now on" }).click();
  await expect(page.getByText("1 USD is 1.2345 QOIN from now on")).toBeVisible();
  await expect(page.getByRole("row", { name: /QOIN now 1\.2345/ })).toBeVisible();

  await page.getByRole("link", { name: "Ledger", exact: true }).click();
  await page.getByRole("button", { name: "Run the check" }).click();
  await expect(page.getByText("Everything holds.")).toBeVisible();
  await expect(page.getByText("Paid ahead", { exact: true })).toBeVisible();
});

test("WEB-76 an operator imports a catalogue, sees how far it is, and its offers are in the market", async ({
  operator,
}) => {
  const { page } = operator;
  const folder = await mkdtemp(join(tmpdir(), "berth-import-"));
  const file = join(folder, "lighthouse.jsonl");
  const lines = Array.from({ length: 40 }, (_, i) => ({
    catalogue_key: `lighthouse-${i}`,
    provider: { translit_name: "lighthouse", name: "Lighthouse" },
    gpu_translit_name: "rtx-4090",
    gpu_amount: 1,
    ram_gb: 64,
    disk_gb: 500,
    price_usd_per_hour: "0.41",
  }));
  await writeFile(
    file,
    `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"catalogue_key":"broken"}\n`,
  );
  await page.goto("/operator/imports");
  await page.getByLabel("Catalogue file").setInputFiles(file);
  await expect(page.getByLabel("File name")).toHaveValue("lighthouse.jsonl");
  await page.getByLabel("Source").fill("lighthouse");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const row = page.getByRole("list", { name: "All imports" }).getByRole("listitem").first();
  await expect(row.getByText("done", { exact: true })).toBeVisible();
  await expect(row).toContainText("Berth JSON Lines");
  await expect(row).toContainText(/Added\s*40/);
  await row.getByText("1 row was skipped").click();
  await expect(row.getByText("Line 41:")).toBeVisible();
  const query = { provider: "lighthouse" };
  await expect
    .poll(async () => (await callAs(operator, "searchMarket", { body: { query } })).total_items)
    .toBe(40);

  await writeFile(file, "this is no catalogue");
  await page.getByLabel("Catalogue file").setInputFiles(file);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await expect(page.getByLabel("File name")).toHaveValue("lighthouse.jsonl");
  await rm(folder, { recursive: true, force: true });
});
