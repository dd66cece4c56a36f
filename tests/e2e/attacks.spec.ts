import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { callAs, collectComplaints, expect, type Person, takeOffer, test } from "./fixtures";
import { makePublicKey } from "./whole-market";
import { xssPayloads } from "./xss-payloads";

/** Writes a payload into every text that a person can write. */
async function plant(person: Person, payload: string): Promise<string> {
  const { data: template } = await callAs(person, "createTemplate", {
    body: {
      name: payload,
      description: payload,
      readme: payload,
      image: "busybox",
      env: `-e PLANTED=${JSON.stringify(payload)}`,
      on_start_command: payload,
      use_ssh: true,
    },
  });
  await callAs(person, "createSecret", {
    body: { name: payload, description: payload, value: makePublicKey() },
  });
  await callAs(person, "createApiKey", { body: { name: printable(payload), scopes: ["market:read"] } });
  await callAs(person, "createSavedSearch", {
    body: { name: printable(payload), search: { query: { cpu_name: payload } } },
  });
  return template.id;
}

/** Some names take no control characters. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}

test("WEB-92 40 payloads in every text that a person writes run nowhere and break no page", async ({
  market,
  enter,
}) => {
  test.setTimeout(300_000);
  const person = await enter();
  const { page, context } = person;
  const struck: string[] = [];
  await context.exposeFunction("struck", () => struck.push(page.url()));
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => struck.push(`a dialog on ${page.url()}`)));

  const templates: string[] = [];
  for (const payload of xssPayloads) templates.push(await plant(person, payload));
  await callAs(person, "updateAccount", { body: { name: printable(xssPayloads[10] ?? "") } });
  for (let i = 0; i < 4; i += 1) {
    const offer = await takeOffer(person);
    await callAs(person, "createInstance", {
      body: { offer_id: offer.id, template_id: templates[i * 10] ?? "", name: xssPayloads[i * 9] ?? "" },
    });
  }
  const { data: instances } = await callAs(person, "listInstances");

  const paths = [
    "/",
    "/market",
    `/market?rent=${instances[0]?.actual_offer.id}&template=${templates[0]}`,
    "/templates",
    "/instances",
    "/keys",
    "/api-keys",
    "/account",
    "/billing",
    "/hosts",
  ];
  paths.push(
    ...templates.filter((_, i) => i % 8 === 0).flatMap((id) => [`/templates/${id}`, `/templates/${id}/edit`]),
  );
  paths.push(...instances.map(({ id }) => `/instances/${id}`));
  const complaints = collectComplaints(page);
  for (const path of paths) {
    await page.goto(`${market.url}${path}`);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    await expect(page.locator(".animate-pulse")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Berth" })).toBeVisible();
  }
  // What was written is there to read, as it was written.
  await page.goto(`${market.url}/keys`);
  await expect(page.getByText("<svg onload=struck()>").first()).toBeVisible();
  // Addresses are written by people too.
  const inAddress = encodeURIComponent('"><script>struck()</script>');
  for (const path of [
    `/market?sort=${inAddress}`,
    `/market?cpu=${inAddress}`,
    `/gpus/${inAddress}`,
    `/templates/${inAddress}`,
    `/sign-in?next=javascript:struck()`,
    `/sign-in?error=${inAddress}`,
  ]) {
    await page.goto(`${market.url}${path}`);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  }
  expect(struck).toEqual([]);
  expect(complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
});

test("WEB-93 a page of another origin changes nothing with a visitor's session", async ({
  market,
  enter,
}) => {
  const person = await enter();
  const before = await callAs(person, "listSecrets");
  const other = createServer((_, answer) => {
    answer.setHeader("content-type", "text/html").end("<!doctype html><h1>Elsewhere</h1>");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  try {
    const page = await person.context.newPage();
    // The same host at another port: its requests do carry the cookie, which is all that they have.
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const body = JSON.stringify({ name: "planted", value: makePublicKey() });
    const answers = await page.evaluate(
      async ({ url, text }) => {
        const send = (path: string, init: RequestInit) =>
          fetch(url + path, { credentials: "include", ...init }).then(
            (answer) => answer.type,
            () => "refused",
          );
        return Promise.all([
          send("/v0/secrets", {
            method: "POST",
            mode: "no-cors",
            body: text,
            headers: { "content-type": "text/plain" },
          }),
          send("/v0/secrets", {
            method: "POST",
            body: text,
            headers: { "content-type": "application/json" },
          }),
          send("/v0/secrets", { method: "GET" }),
          send("/auth/sign-out", { method: "POST", mode: "no-cors", body: "{}" }),
          send("/v0/account", { method: "DELETE", body: "{}" }),
        ]);
      },
      { url: market.url, text: body },
    );
    expect(answers.filter((type) => type !== "refused" && type !== "opaque")).toEqual([]);
    await page.setContent(
      `<form method="post" enctype="text/plain" action="${market.url}/v0/secrets"><input name='{"name":"planted","value":"' value='"}'><button>Go</button></form>`,
    );
    await page.getByRole("button").click();
    await page.waitForLoadState();
    await page.close();
  } finally {
    other.close();
  }
  expect(await callAs(person, "listSecrets")).toEqual(before);
  expect((await callAs(person, "getAccount")).data.email).toBe(person.email);
});
