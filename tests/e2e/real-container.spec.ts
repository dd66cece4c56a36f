import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "playwright/test";
import { startTestEngine, TEST_IMAGE, whyNoEngine } from "../support/test-engine";
import { collectComplaints } from "./fixtures";
import { startMarket } from "./start-market";

const run = promisify(execFile);

test("WEB-86 a real container is rented from the pages, logged in to by the command they show, and destroyed", async ({
  browser,
}) => {
  test.skip(whyNoEngine !== null && !process.env.CI, whyNoEngine ?? "");
  test.setTimeout(240_000);
  const engine = await startTestEngine();
  const market = await startMarket({
    BERTH_ENGINE: `unix://${engine.socket}`,
    ALLOW_CPU_HOSTS: "1",
    RATE_LIMIT: "off",
  });
  const folder = await mkdtemp(join(tmpdir(), "berth-key-"));
  try {
    const context = await browser.newContext({ baseURL: market.url, acceptDownloads: true });
    const page = await context.newPage();
    const complaints = collectComplaints(page);
    await page.goto(market.signInLink);

    const [image = "", tag = ""] = TEST_IMAGE.split(":");
    await page.goto("/templates/new");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Small");
    await page.getByRole("textbox", { name: "Image" }).fill(image);
    await page.getByRole("textbox", { name: "Tag" }).fill(tag);
    await page
      .getByRole("textbox", { name: "Command" })
      .fill("printf '\\033[32mgreen <b>is</b> a text\\033[0m\\n'");
    await page.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Small" })).toBeVisible();

    await page.goto("/keys");
    await page.getByRole("button", { name: "Add a key" }).first().click();
    await page.getByRole("tab", { name: "Make a pair here" }).click();
    await page.getByLabel("Name").fill("from-the-browser");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Make the pair" }).click();
    const keyFile = join(folder, "key");
    await (await download).saveAs(keyFile);
    await chmod(keyFile, 0o600);
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();

    await page.goto("/market?n=0&rentable=true");
    // The machine joins once its engine has been tried, which on a busy one takes longer than all of the above.
    const rent = page.getByRole("table").locator("[data-row]").getByRole("button", { name: /^Rent/ });
    await rent.click({ timeout: 90_000 });
    const sheet = page.getByRole("dialog", { name: /^Rent/ });
    await sheet.getByRole("radio", { name: /Small/ }).click();
    await sheet.getByRole("checkbox", { name: /from-the-browser/ }).check();
    await sheet.getByLabel("Name", { exact: true }).fill("real");
    await sheet.getByRole("button", { name: /^Rent at/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: "real" })).toBeVisible();
    const command = page.getByText(/^ssh -p \d+ root@127\.0\.0\.1$/);
    await expect(command).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText("simulated", { exact: true })).toBeHidden();
    expect((await engine.podman("ps", "--quiet")).trim().split("\n")).toHaveLength(1);

    const [, ...args] = ((await command.textContent()) ?? "").split(" ");
    const fingerprint = (await page.getByText(/^SHA256:/).textContent()) ?? "";
    const known = join(folder, "known");
    await writeFile(known, (await run("ssh-keyscan", ["-p", args[1] ?? "", "127.0.0.1"])).stdout);
    expect((await run("ssh-keygen", ["-lf", known])).stdout).toContain(fingerprint);
    const options = [`UserKnownHostsFile=${known}`, "StrictHostKeyChecking=yes", "BatchMode=yes"];
    const inside = await run("ssh", [
      ...["-F", "/dev/null", "-i", keyFile, ...options.flatMap((option) => ["-o", option])],
      ...args,
      "echo here; id -u",
    ]);
    expect(inside.stdout).toBe("here\n0\n");

    await page.getByRole("tab", { name: "Logs" }).click();
    await expect(page.getByRole("log").getByText("green <b>is</b> a text")).toBeVisible();
    await page.getByRole("tab", { name: "Charts" }).click();
    await expect(page.locator("svg.recharts-surface").first()).toBeVisible({ timeout: 45_000 });

    await page.getByRole("button", { name: "Destroy", exact: true }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("real");
    await page.getByRole("dialog").getByRole("button", { name: "Destroy" }).click();
    await expect(page).toHaveURL(/\/instances$/);
    await expect
      .poll(async () => (await engine.podman("ps", "--all", "--quiet")).trim(), { timeout: 30_000 })
      .toBe("");
    // Chromium makes its connections anew when the engine adds a network of its own; the page asks again by itself.
    expect(complaints.filter((complaint) => !complaint.includes("ERR_NETWORK_CHANGED"))).toEqual([]);
    await context.close();
  } finally {
    await market.stop();
    await engine.remove();
    await rm(folder, { recursive: true, force: true });
  }
});
