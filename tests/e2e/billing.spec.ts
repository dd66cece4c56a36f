import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { callAs, expect, phone, takeOffer, test } from "./fixtures";

test("WEB-59 shows a ledger that adds up to the balance, filtered by the address, and the same rows as CSV", async ({
  enter,
}) => {
  const person = await enter();
  const { page } = person;
  const offer = await takeOffer(person);
  const { data: templates } = await callAs(person, "listTemplates");
  await callAs(person, "createInstance", {
    body: {
      offer_id: offer.id,
      template_id: templates[0]?.id ?? "",
      reserve_period: "day",
      name: "ledger",
    },
  });
  await page.goto("/billing");
  const { data: billing } = await callAs(person, "getBilling");
  const { data: entries } = await callAs(person, "listBillingEntries");
  const sum = (account: string) =>
    entries.filter((entry) => entry.account === account).reduce((total, { amount }) => total + amount, 0);
  expect(sum("balance")).toBeCloseTo(billing.balance, 5);
  const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
  await expect(page.getByText(dollars.format(billing.balance), { exact: true }).first()).toBeVisible();
  await expect(
    page.getByText("Nothing of yours costs money at the moment.").or(page.getByText("It lasts for")),
  ).toBeVisible();
  const ledger = page.getByRole("table").last();
  await expect(ledger.getByRole("row", { name: /Credit.*\+\$100/ })).toBeVisible();
  await expect(ledger.getByRole("row", { name: /Prepayment Balance ledger/ })).toBeVisible();

  await page.getByRole("combobox", { name: "Account" }).click();
  await page.getByRole("option", { name: "Balance" }).click();
  await expect(page).toHaveURL(/account=balance/);
  const inBalance = entries.filter(({ account }) => account === "balance");
  await expect(ledger.getByRole("row")).toHaveCount(inBalance.length + 1);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const text = await readFile(await (await saved).path(), "utf8");
  const rows: Record<string, string>[] = parse(text, { columns: true });
  expect(rows.map(({ id }) => id)).toEqual(inBalance.map(({ id }) => id));
  expect(rows.map(({ amount }) => Number(amount))).toEqual(inBalance.map(({ amount }) => amount));

  await page.reload();
  await expect(ledger.getByRole("row")).toHaveCount(inBalance.length + 1);
  await page.setViewportSize(phone);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
