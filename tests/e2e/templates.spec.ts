import type { Locator, Page } from "playwright/test";
import { expect, test } from "./fixtures";

/** Pastes as a person does: through the clipboard's event, into what has the focus. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

async function writeTemplate(page: Page): Promise<void> {
  await page.goto("/templates/new");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("My service");
  await paste(page.getByRole("textbox", { name: "Image" }), "ghcr.io/a/b:v1.2");
  await page.getByRole("button", { name: "Add a variable" }).click();
  const file = '# settings\nMODE=fast\nGREETING="it\'s $HOME"\nHF_TOKEN=hf_s3cret\n';
  await paste(page.getByRole("textbox", { name: "Name of variable 1" }), file);
}

test("WEB-33 writes a template by pasting an image and a .env, with a preview that holds no secret", async ({
  enter,
}) => {
  const { page } = await enter();
  await writeTemplate(page);
  await expect(page.getByRole("textbox", { name: "Image" })).toHaveValue("ghcr.io/a/b");
  await expect(page.getByRole("textbox", { name: "Tag" })).toHaveValue("v1.2");
  await expect(page.getByRole("textbox", { name: "Name of variable 3" })).toHaveValue("HF_TOKEN");
  await page.getByRole("button", { name: "Add a port" }).click();
  await page.getByRole("textbox", { name: "Port 1" }).fill("8080");
  await page.getByRole("textbox", { name: "Password or token" }).fill("pull-s3cret");
  const preview = page.getByText("docker run -d");
  await expect(preview).toContainText(`-e 'GREETING=it'\\''s $HOME'`);
  await expect(preview).toContainText("-p 8080:8080");
  await expect(preview).toContainText("ghcr.io/a/b:v1.2");
  await expect(preview).not.toContainText("s3cret");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My service" })).toBeVisible();
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByRole("textbox", { name: "Value of variable 2" })).toHaveValue("it's $HOME");
  await expect(page.getByLabel("Password or token")).toHaveValue("");
});

test("WEB-34 puts what the server refuses on its field, and loses nothing that was typed", async ({
  enter,
}) => {
  const { page } = await enter();
  await writeTemplate(page);
  await page.getByRole("textbox", { name: "Jupyter folder" }).fill("not/absolute");
  await page.getByRole("textbox", { name: "Name of variable 1" }).fill("NVIDIA_VISIBLE_DEVICES");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Must be an absolute path")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Jupyter folder" })).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("Line 1: the platform sets this variable itself")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("My service");
  await expect(page.getByRole("textbox", { name: "Value of variable 2" })).toHaveValue("it's $HOME");
  await page.getByRole("textbox", { name: "Jupyter folder" }).fill("/workspace");
  await page.getByRole("textbox", { name: "Name of variable 1" }).fill("MODE");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My service" })).toBeVisible();
});

test("WEB-35 asks before changes are left, by a link or by closing, and not once they are saved", async ({
  enter,
}) => {
  const { page } = await enter();
  await writeTemplate(page);
  await page.getByRole("banner").getByRole("link", { name: "Instances" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("textbox", { name: "Tag" })).toHaveValue("v1.2");
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My service" })).toBeVisible();
  await page.getByRole("link", { name: "All templates" }).click();
  await page.getByRole("link", { name: "My service", exact: true }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("You have no templates yet")).toBeVisible();
});
