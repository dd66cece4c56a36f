import { readFile } from "node:fs/promises";
import { callAs, expect, type Person, phone, takeOffer, test } from "./fixtures";
import { makePublicKey } from "./whole-market";

/** Rents the cheapest offers that are free, one a name. */
async function rent(person: Person, ...names: string[]): Promise<string[]> {
  const { data: template } = await callAs(person, "createTemplate", {
    body: { name: "Plain", image: "ubuntu", image_tag: "24.04", use_ssh: true, on_start_command: "true" },
  });
  const ids: string[] = [];
  for (const name of names) {
    const offer = await takeOffer(person);
    const { data } = await callAs(person, "createInstance", {
      body: { offer_id: offer.id, template_id: template.id, name },
    });
    ids.push(data[0]?.id ?? "");
  }
  return ids;
}

const starting = { timeout: 30_000 };

test("WEB-80 an instance is seen to start without a reload, with its way in, its cost, its load and what happened", async ({
  enter,
}) => {
  const person = await enter();
  const { page } = person;
  await page.goto("/instances");
  await expect(page.getByText("You rent nothing yet")).toBeVisible();
  await rent(person, "first");
  const row = page.getByRole("listitem").filter({ hasText: "first" });
  await expect(row.getByText("running", { exact: true }).first()).toBeVisible(starting);
  await row.getByRole("link", { name: "first" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "first" })).toBeVisible();
  await expect(page.getByText("simulated", { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/^ssh -p \d+ root@/)).toBeVisible();
  await expect(page.getByText(/^Host berth-first/)).toBeVisible();
  await expect(page.getByText(/By the end of \w+ \$/)).toBeVisible();
  const cost = page.getByText("Cost so far").locator("..");
  const before = await cost.textContent();
  await expect(cost).not.toHaveText(before ?? "", { timeout: 20_000 });
  await page.getByRole("tab", { name: "Timeline" }).click();
  await expect(page.getByText("Rented", { exact: true })).toBeVisible();
  await expect(page.getByText("Runs for the first time")).toBeVisible();
  await page.getByRole("tab", { name: "Charts" }).click();
  await expect(page.locator("svg.recharts-surface").first()).toBeVisible(starting);
  await page.reload();
  await expect(page.getByRole("tab", { name: "Charts" })).toHaveAttribute("aria-selected", "true");
});

test("WEB-81 its log follows, is searched, held and saved as a file", async ({ enter }) => {
  const person = await enter();
  const { page } = person;
  const [id = ""] = await rent(person, "writer");
  await page.goto(`/instances/${id}?tab=logs`);
  const log = page.getByRole("log", { name: "Logs of writer" });
  await expect(log).toContainText("pulling ubuntu:24.04");
  await expect(log).toContainText("would now run the on-start command", starting);
  await page.getByRole("searchbox", { name: "Search the logs" }).fill("START");
  await expect(page.getByText("1 of 2")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 of 2")).toBeVisible();
  await page.getByRole("button", { name: "Hold" }).click();
  await expect(page.getByText("Held")).toBeVisible();
  await expect(log).toBeHidden();
  await page.getByRole("button", { name: "Follow" }).click();
  await expect(log).toBeVisible();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const text = await readFile(await (await saved).path(), "utf8");
  expect(text.trimEnd().split("\n")).toHaveLength(3);
  expect(text).toMatch(/^\d{4}-\S+Z system \[simulated\] pulling ubuntu:24\.04\n/);
});

test("WEB-82 an action shows at once, offers only what can be done, and is taken back with the reason where it is refused", async ({
  enter,
}) => {
  const person = await enter();
  const { page } = person;
  const [id = ""] = await rent(person, "sturdy");
  await page.goto(`/instances/${id}`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const status = page.getByRole("status").filter({ hasText: "simulated" });
  await expect(button("Pause")).toBeVisible(starting);
  await expect(button("Start")).toBeHidden();

  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route("**/v0/instances/**", async (route) => {
    await held;
    await route.continue();
  });
  await button("Pause").click();
  await expect(status.getByText("paused", { exact: true })).toBeVisible();
  await expect(button("Pause")).toBeHidden();
  // Another window of the same person destroys it meanwhile, so the server refuses what this one asked for.
  await callAs(person, "deleteInstance", { params: { instance_id: id } });
  letGo();
  await expect(page.getByText("sturdy was not paused")).toBeVisible();
  await expect(page.getByRole("heading", { name: "There is no such instance" })).toBeVisible();
  await expect(page.getByText("Destroyed", { exact: true })).toBeVisible();
});

test("WEB-83 it is paused, started and rebooted, and destroyed only by typing its name", async ({
  enter,
}) => {
  const person = await enter();
  const { page } = person;
  const [id = ""] = await rent(person, "worker");
  await page.goto(`/instances/${id}`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await button("Pause").click(starting);
  await button("Start").click(starting);
  await button("Reboot").click(starting);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Ends all processes");
  await dialog.getByRole("button", { name: "Reboot" }).click();
  await expect(button("Pause")).toBeVisible(starting);
  await button("Destroy").click();
  await expect(dialog).toContainText("disk is lost");
  await dialog.getByRole("textbox").fill("work");
  await expect(dialog.getByRole("button", { name: "Destroy" })).toBeDisabled();
  await dialog.getByRole("textbox").fill("worker");
  await dialog.getByRole("button", { name: "Destroy" }).click();
  await expect(page).toHaveURL(/\/instances$/);
  await expect(page.getByText("You rent nothing yet")).toBeVisible();
  await page.goto(`/instances/${id}`);
  await expect(page.getByText("This instance is destroyed.")).toBeVisible();
  await expect(page.getByText("Asked to reboot")).toBeVisible();
});

test("WEB-84 a key is attached and detached, and it says when nobody can log in any more", async ({
  enter,
}) => {
  const person = await enter();
  const { page } = person;
  await callAs(person, "createSecret", { body: { name: "laptop", value: makePublicKey() } });
  const [id = ""] = await rent(person, "keyed");
  await page.goto(`/instances/${id}`);
  await page.getByRole("button", { name: "Attach" }).click(starting);
  await expect(page.getByText("laptop may log in")).toBeVisible();
  await expect(page.getByText("All your keys are attached.")).toBeVisible();
  const attached = async () =>
    (await callAs(person, "listInstances")).data[0]?.ssh_keys.map(({ name }) => name);
  expect(await attached()).toEqual(["laptop"]);
  await page.getByRole("button", { name: "Detach laptop" }).click();
  await expect(page.getByRole("dialog")).toContainText("after that nobody can log in");
  await page.getByRole("dialog").getByRole("button", { name: "Detach" }).click();
  await expect(page.getByText("No key is attached.", { exact: true })).toBeVisible();
  await expect.poll(attached).toEqual([]);
});

test("WEB-85 several are found, paused and destroyed at once, and each says how it went", async ({
  enter,
}) => {
  const person = await enter({ viewport: phone });
  const { page } = person;
  await rent(person, "batch-1", "batch-2", "other");
  await page.goto("/instances");
  await expect(page.getByText("running", { exact: true })).toHaveCount(3, starting);
  await page.getByRole("searchbox").fill("batch");
  await expect(page.getByText("2 instances")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Pause (2)" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(dialog.getByText("2 of 2 done.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText("paused", { exact: true })).toHaveCount(2);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Destroy (2)" }).click();
  await dialog.getByRole("textbox").fill("destroy 2");
  await dialog.getByRole("button", { name: "Destroy" }).click();
  await expect(dialog.getByText("2 of 2 done.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const { data } = await callAs(person, "listInstances");
  expect(data.map(({ name }) => name)).toEqual(["other"]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});
