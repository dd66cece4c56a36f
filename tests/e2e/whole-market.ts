import { generateKeyPairSync } from "node:crypto";
import type { Browser, BrowserContext } from "playwright/test";
import { callAs, takeOffer } from "./fixtures";
import { addHost, signInAsOperator } from "./people";
import type { RunningMarket } from "./start-market";

/** The operator's browser, in a market that has one of everything to look at. */
export interface WholeMarket {
  context: BrowserContext;
  origin: string;
  /** Every page, by the name of its screenshot. */
  pages: Record<string, string>;
}

/** An operator with a template, keys, instances, hosts, tokens and a search: every page has something on it. */
export async function furnish(browser: Browser, market: RunningMarket): Promise<WholeMarket> {
  const origin = market.url;
  const context = await browser.newContext({ baseURL: origin });
  await signInAsOperator(context, market);
  const operator = { context, origin };
  await addHost(market, operator, ["--amount", "2", "--price", "0.71"]);
  await addHost(market, operator, ["--gpu", "rtx-3090", "--price", "0.21"]);
  const { host_id: host } = await addHost(market, operator, ["--gpu", "a100-sxm-80gb"]);
  const { data: secret } = await callAs(operator, "createSecret", {
    body: { name: "laptop", value: makePublicKey() },
  });
  await callAs(operator, "createSecret", { body: { name: "workstation", value: makePublicKey() } });
  const { data: template } = await callAs(operator, "createTemplate", {
    body: {
      name: "Fine-tuning",
      description: "PyTorch with our data loaders",
      image: "pytorch/pytorch",
      image_tag: "2.9.0-cuda13.0-cudnn9-runtime",
      env: '-e EPOCHS=3 -e RUN_NAME="first run"',
      ports: { "8080": "tcp" },
      use_ssh: true,
      direct_ssh: true,
      on_start_command: "python -m train --resume\n",
      recommended_disk_space: 40,
    },
  });
  const names = ["trainer", "notebook", "batch-7"];
  for (const name of names) {
    const offer = await takeOffer(operator, { vram_gt: 20 });
    await callAs(operator, "createInstance", {
      body: { offer_id: offer.id, template_id: template.id, secret_ids: [secret.id], name },
    });
  }
  const { data: instances } = await callAs(operator, "listInstances");
  const instance = instances.find(({ name }) => name === "trainer")?.id ?? "";
  await callAs(operator, "createApiKey", {
    body: { name: "nightly job", scopes: ["market:read", "instances:read"] },
  });
  await callAs(operator, "createSavedSearch", {
    body: { name: "24 GB and more, rentable", search: { query: { vram_gt: 23, rentable: true } } },
  });
  const free = await takeOffer(operator, { vram_gt: 20 });
  const other = await takeOffer(operator, { vram_gt: 20 });
  return {
    context,
    origin,
    pages: {
      home: "/",
      market: "/market",
      rent: `/market?rent=${free.id}`,
      compare: `/market?compare=${free.id},${other.id}`,
      gpus: "/gpus",
      gpu: "/gpus/rtx-4090",
      provider: `/providers/${free.provider_translit_name}`,
      templates: "/templates",
      template: `/templates/${template.id}`,
      "template-new": "/templates/new",
      "template-edit": `/templates/${template.id}/edit`,
      instances: "/instances",
      instance: `/instances/${instance}`,
      keys: "/keys",
      "api-keys": "/api-keys",
      account: "/account",
      billing: "/billing",
      hosts: "/hosts",
      host: `/hosts/${host}`,
      "hosts-join": "/hosts?join",
      "operator-accounts": "/operator/accounts",
      "operator-hosts": "/operator/hosts",
      "operator-instances": "/operator/instances",
      "operator-templates": "/operator/templates",
      "operator-rates": "/operator/rates",
      "operator-ledger": "/operator/ledger",
      "operator-imports": "/operator/imports",
      docs: "/docs",
      "not-found": "/nothing-is-here",
    },
  };
}

/** A public key line as `ssh-keygen -t ed25519` writes it. */
export function makePublicKey(comment = "someone@example.com"): string {
  const { publicKey } = generateKeyPairSync("ed25519");
  const point = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const blob = Buffer.concat([
    Buffer.from([0, 0, 0, 11]),
    Buffer.from("ssh-ed25519"),
    Buffer.from([0, 0, 0, 32]),
    point,
  ]);
  return `ssh-ed25519 ${blob.toString("base64")} ${comment}`;
}
