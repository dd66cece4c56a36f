import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { chmod, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Page } from "playwright/test";
import { expect, phone, test } from "./fixtures";

/** Everything that the page sends, as it goes: addresses, headers and bodies. */
function collectSent(page: Page): { texts: string[]; writes: string[] } {
  const texts: string[] = [];
  const writes: string[] = [];
  page.on("request", (request) => {
    texts.push(`${request.url()}\n${JSON.stringify(request.headers())}\n${request.postData() ?? ""}`);
    if (request.method() !== "GET") writes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return { texts, writes };
}

test("WEB-54 makes a pair in the browser that ssh-keygen takes, and sends the public half alone", async ({
  enter,
}, info) => {
  const { page } = await enter();
  const { texts, writes } = collectSent(page);
  await page.goto("/keys");
  await page.getByRole("button", { name: "Add a key" }).first().click();
  await page.getByRole("tab", { name: "Make a pair here" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("my laptop");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Make the pair" }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe("my-laptop_ed25519");
  await expect(page.getByText("chmod 600 ~/.ssh/my-laptop_ed25519")).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "my laptop" })).toContainText(
    "Ed25519 · 256 bits",
  );

  const file = info.outputPath("my-laptop_ed25519");
  await download.saveAs(file);
  await chmod(file, 0o600);
  const { stdout } = await promisify(execFile)("ssh-keygen", ["-y", "-f", file]);
  const answer = await page.context().request.get("/v0/secrets");
  expect((await answer.json()).data).toMatchObject([{ name: "my laptop", value: stdout.trim() }]);

  // The seed's bytes, however they may be written, and the file as it is.
  const lines = (await readFile(file, "utf8")).split("\n").slice(1, -2);
  const bytes = Buffer.from(lines.join(""), "base64");
  const seed = bytes.subarray(bytes.lastIndexOf("\0\0\0\x40") + 4).subarray(0, 32);
  const forms = [
    seed.toString("hex"),
    seed.toString("base64").slice(0, 42),
    seed.toString("base64url"),
    "PRIVATE KEY",
  ];
  const secrets = [...forms, ...lines.slice(3)];
  expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  expect(writes).toEqual(["POST /v0/secrets"]);
});

test("WEB-55 takes public keys one a line, refuses a private one with nothing sent, and says where a key is", async ({
  enter,
}) => {
  const { page } = await enter({ viewport: phone });
  const { texts, writes } = collectSent(page);
  await page.goto("/keys?add");
  const field = page.getByRole("textbox", { name: "Public keys" });
  const secret = generateKeyPairSync("ed25519")
    .privateKey.export({ format: "pem", type: "pkcs8" })
    .toString();
  await field.fill(secret);
  await expect(page.getByText("That is a private key. It was not sent")).toBeVisible();
  await expect(field).toHaveValue("");
  await expect(page.getByRole("button", { name: "Add", exact: true })).toBeDisabled();
  expect(writes).toEqual([]);
  expect(texts.filter((text) => text.includes(secret.split("\n")[1] ?? secret))).toEqual([]);

  const lines = [1, 2].map((name) => `${makePublicLine()} key${name}@laptop`);
  await field.fill(`${lines.join("\n")}\nnonsense\n`);
  await expect(page.getByText("Line 3: this is no public key.")).toBeVisible();
  await expect(page.getByText(/^SHA256:/)).toHaveCount(2);
  await page.getByRole("button", { name: "Add 2 keys" }).click();
  await expect(page.getByRole("heading", { name: "key2@laptop" })).toBeVisible();
  expect(writes).toEqual(["POST /v0/secrets", "POST /v0/secrets"]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);

  await page.getByRole("button", { name: "Delete “key1@laptop”" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("heading", { name: "key1@laptop" })).toBeHidden();
});

test("WEB-56 makes an API key that does what its scopes say, rolls it and revokes it", async ({
  enter,
  market,
}) => {
  const { page } = await enter();
  const status = async (key: string, path: string) =>
    (await fetch(`${market.url}${path}`, { headers: { "x-api-key": key } })).status;
  const readKey = async () =>
    /ak-\w+/.exec(
      (await page
        .getByRole("dialog")
        .getByText(/^ak-\w+$/)
        .textContent()) ?? "",
    )?.[0] ?? "";

  await page.goto("/api-keys?new");
  await page.getByRole("textbox", { name: "Name" }).fill("watcher");
  await page.getByRole("combobox", { name: "What it may do" }).click();
  await page.getByRole("option", { name: "Choose by area" }).click();
  for (const area of ["Market", "Templates", "SSH keys", "Hosts", "API keys"])
    await page.getByRole("checkbox", { name: `${area}: read` }).click();
  await expect(page.getByRole("checkbox", { name: "Operator: read" })).toHaveCount(0);
  await page.getByRole("button", { name: "Make the key" }).click();
  const first = await readKey();
  expect(await status(first, "/v0/instances")).toBe(200);
  expect(await status(first, "/v0/billing")).toBe(200);
  expect(await status(first, "/v0/secrets")).toBe(403);
  await page.getByRole("button", { name: "I have copied it" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "watcher" });
  await expect(row).toContainText("Instances: read; Billing: read");

  await page.getByRole("button", { name: "Roll “watcher”" }).click();
  await page.getByRole("combobox", { name: "The old key goes on working" }).click();
  await page.getByRole("option", { name: "not at all" }).click();
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await expect(page.getByRole("dialog").getByText(first, { exact: true })).toBeHidden();
  const second = await readKey();
  expect(second).not.toBe(first);
  expect(await status(first, "/v0/billing")).toBe(401);
  expect(await status(second, "/v0/billing")).toBe(200);
  await page.getByRole("button", { name: "I have copied it" }).click();

  await page.getByRole("button", { name: "Revoke “watcher”" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByText("2 keys that work no more")).toBeVisible();
  expect(await status(second, "/v0/billing")).toBe(401);
});

function makePublicLine(): string {
  const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const blob = [Buffer.from("ssh-ed25519"), Buffer.from(x, "base64url")].map(field);
  return `ssh-ed25519 ${Buffer.concat(blob).toString("base64")}`;
}
