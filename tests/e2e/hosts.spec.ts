import { expect, phone, test } from "./fixtures";
import { addHost, joinMachine } from "./people";

test("WEB-60 an owner joins a machine: a token, a command to paste, its arrival, its price, and the market has it", async ({
  enter,
  market,
}) => {
  const { page } = await enter();
  await page.goto("/hosts");
  await expect(page.getByText("Earn with your machine")).toBeVisible();
  await page.getByRole("button", { name: "Join a machine" }).first().click();
  await expect(page).toHaveURL(/\/hosts\?join/);
  const sheet = page.getByRole("dialog", { name: "Join a machine" });
  await sheet.getByRole("button", { name: "Make the token" }).click();
  await expect(sheet.getByText("Waiting for the machine")).toBeVisible();
  const command = (await sheet.locator("pre").textContent()) ?? "";
  const token = /ht-[\w-]+/.exec(command)?.[0] ?? "";
  const { host_id: hostId } = await joinMachine(market, token, ["--gpu", "rtx-3090"]);

  await expect(sheet.getByText("The machine has joined")).toBeVisible();
  await expect(sheet.getByText("No price yet")).toBeVisible();
  await sheet.getByRole("textbox", { name: /Price of 1 × .*3090/ }).fill("0,37");
  await page.keyboard.press("Enter");
  await expect(sheet.getByRole("button", { name: /\$0\.370\. Change/ })).toBeVisible();
  await expect(sheet.getByText("On the market", { exact: true })).toBeVisible();

  await sheet.getByRole("link", { name: "Open the host" }).click();
  await expect(page).toHaveURL(new RegExp(`/hosts/${hostId}`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("3090");
  await expect(page.getByText("simulated", { exact: true })).toBeVisible();
});

test("WEB-61 a price is changed in its place, Escape leaves it, a refusal rolls it back, and others see it within 2 s", async ({
  enter,
  market,
}) => {
  const owner = await enter();
  const other = await enter();
  await addHost(market, owner, ["--price", "0.8"]);
  await other.page.goto("/market?price=0.6518..0.652");
  await expect(other.page.getByText("No offer meets all of that.")).toBeVisible();
  await owner.page.goto("/hosts");
  const price = owner.page.getByRole("button", { name: /^Price of/ });
  await price.click();
  await owner.page.keyboard.type("5");
  await owner.page.keyboard.press("Escape");
  await expect(price).toHaveText(/\$0\.800\/h/);
  await expect(price).toBeFocused();

  await owner.page.keyboard.press("Enter");
  await owner.page.keyboard.type("0.6519");
  await expect(owner.page.getByText(/like offers/)).toBeVisible();
  await owner.page.keyboard.press("Enter");
  await expect(price).toHaveText(/\$0\.6519\/h/);
  await expect(other.page.getByRole("table").getByText("$0.6519").first()).toBeVisible();

  await price.click();
  await owner.page.keyboard.type("99999");
  await owner.page.keyboard.press("Enter");
  await expect(owner.page.getByText("The market takes prices from")).toBeVisible();
  await expect(owner.page.getByRole("textbox", { name: /^Price of/ })).toHaveValue("99999");
  await owner.page.keyboard.press("Escape");
  await expect(price).toHaveText(/\$0\.6519\/h/);
});

test("WEB-62 many hosts are repriced at once after a preview, and taken off the market and put back", async ({
  enter,
  market,
}) => {
  const owner = await enter();
  const { page } = owner;
  await addHost(market, owner, ["--price", "1"]);
  await addHost(market, owner, ["--gpu", "rtx-3090", "--price", "0.333"]);
  await addHost(market, owner, ["--gpu", "rtx-3090"]);
  await page.goto("/hosts");
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("button", { name: "Reprice…" }).click();
  const dialog = page.getByRole("dialog", { name: "Reprice 3 hosts" });
  await dialog.getByRole("textbox", { name: "Change, in per cent" }).fill("-10");
  await expect(dialog.getByText("New: $0.900")).toBeVisible();
  await expect(dialog.getByText("New: $0.300")).toBeVisible();
  await expect(dialog.getByText("has no price to change")).toBeVisible();
  await dialog.getByRole("button", { name: "Reprice 2 hosts" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: /\$0\.900\. Change/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /\$0\.300\. Change/ })).toBeVisible();

  const bar = page.getByRole("region", { name: "3 hosts selected" });
  await bar.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("Withdrawn by you")).toHaveCount(3);
  await bar.getByRole("button", { name: "List" }).click();
  await expect(page.getByText("On the market", { exact: true })).toHaveCount(2);
  await expect(page.getByText("No price yet")).toHaveCount(1);
});

test("WEB-63 a host is deleted by typing its GPU's name, on a phone and in Russian too", async ({
  enter,
  market,
}) => {
  const owner = await enter({ locale: "ru", viewport: phone });
  const { page } = owner;
  await addHost(market, owner, ["--price", "0.5"]);
  await page.goto("/hosts");
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect(page.getByText("На рынке", { exact: true })).toBeVisible();
  expect(await sideways()).toBeLessThanOrEqual(0);
  await page.getByRole("link", { name: /4090/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("4090");
  await expect(page.getByText("За это время ничего не заработано.")).toBeVisible();
  expect(await sideways()).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "Удалить" }).click();
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: "Удалить хост" });
  await expect(confirm).toBeDisabled();
  const [host] = (await (await page.request.get("/v0/hosts")).json()).data;
  await dialog.getByRole("textbox").fill(host.offer.gpu_name);
  await confirm.click();
  await expect(page).toHaveURL(/\/hosts$/);
  await expect(page.getByText("Зарабатывайте на своей машине")).toBeVisible();
});
