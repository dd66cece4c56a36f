import { describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { publishTemplate, unpublishTemplate } from "@/lib/templates/publish-template";
import { openPassword } from "@/lib/templates/registry-password";
import { callApi, makeAccount, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { makeInstance } from "../support/make-instance";

useTestDatabase();

const everything = {
  name: "Trainer",
  description: "Trains",
  image: "team/trainer",
  image_tag: "1.2",
  docker_username: "robot",
  docker_password: "hunter2-secret",
  docker_registry: "GHCR.io",
  env: "A=1\n-e B=2 -p 9000/udp",
  ports: { "8080": "tcp" as const },
  use_ssh: true,
  use_jupyter: true,
  direct_ssh: true,
  jupyter_directory: "/work",
  use_jupyter_lab: true,
  on_start_command: "sleep 1",
  recommended_disk_space: 40,
  is_private: true,
  ssh_username: "dev",
};

async function create(key: string, body: object = {}) {
  return callApi(operations.createTemplate, { key, body: { ...everything, ...body } });
}

async function update(key: string, id: string, body: object) {
  return callApi(operations.updateTemplate, { key, params: { template_id: id }, body });
}

async function readPassword(id: string): Promise<string | null> {
  const { dockerPasswordSealed } = await db().template.findUniqueOrThrow({ where: { id } });
  return dockerPasswordSealed && openPassword(dockerPasswordSealed, `template:${id}`);
}

async function listNames(key: string, query: Record<string, string | number>) {
  const { body } = await callApi(operations.listTemplates, { key, query });
  return { names: body.data.map(({ name }) => name), total: body.total_items };
}

describe("templates", () => {
  it("TMPL-01 stores what is given and shows it to its owner, but never the password", async () => {
    const { userId, key } = await makeAccount();
    const made = await create(key);
    expect(made.status).toBe(200);
    const { docker_username, docker_password, ...shown } = everything;
    expect(made.body.data).toMatchObject({
      ...shown,
      docker_registry: "ghcr.io",
      docker_login: docker_username,
      owner_id: userId,
      is_published: false,
    });
    const { id } = made.body.data;
    const got = await callApi(operations.getTemplate, { key, params: { template_id: id } });
    expect(got.body.data).toEqual(made.body.data);
    const listed = await callApi(operations.listTemplates, { key });
    expect(listed.body.data).toEqual([made.body.data]);
    expect(JSON.stringify([made.body, got.body, listed.body])).not.toContain(docker_password);
  });

  it("TMPL-02 fills in the specification's defaults", async () => {
    const { key } = await makeAccount();
    const made = await callApi(operations.createTemplate, { key, body: { name: "Bare", image: "ubuntu" } });
    expect(made.body.data).toMatchObject({
      image: "ubuntu",
      image_tag: "latest",
      ssh_username: "root",
      use_ssh: false,
      use_jupyter: false,
      direct_ssh: false,
      use_jupyter_lab: false,
      is_private: false,
      ports: {},
      env: null,
      docker_login: null,
      recommended_disk_space: null,
    });
    const tagged = await callApi(operations.createTemplate, {
      key,
      body: { name: "Tagged", image: "ubuntu:24.04" },
    });
    expect(tagged.body.data).toMatchObject({ image: "ubuntu", image_tag: "24.04" });
  });

  it.each<[string, object, string]>([
    ["an image that is no reference", { image: "Not An Image" }, "image"],
    ["a bad tag", { image_tag: "no spaces" }, "image_tag"],
    ["two tags", { image: "a:1", image_tag: "2" }, "image_tag"],
    ["a registry with a scheme", { docker_registry: "https://ghcr.io" }, "docker_registry"],
    ["an environment that is none", { env: "just words" }, "env"],
    ["a port of two protocols", { env: "-p 8080/udp" }, "ports"],
    ["a port that is none", { ports: { "0": "tcp" } }, "ports"],
    ["a relative directory", { jupyter_directory: "work" }, "jupyter_directory"],
    ["a link that is not https", { href: "http://example.com" }, "href"],
    ["a user name that is none", { ssh_username: "a b" }, "ssh_username"],
    ["a negative disk", { recommended_disk_space: -1 }, "recommended_disk_space"],
    ["a name of nothing", { name: "" }, "name"],
  ])("TMPL-03 refuses %s, when it is created and when it is changed", async (_, body, field) => {
    const { key } = await makeAccount();
    const refused = await create(key, body);
    expect(refused.status).toBe(422);
    expect(refused.error.detail).toMatchObject([{ loc: ["body", field] }]);
    expect(JSON.stringify(refused.error)).not.toContain("hunter2");

    const stored = (await create(key)).body.data;
    const changed = await update(key, stored.id, body);
    expect(changed.error.detail).toMatchObject([{ loc: ["body", field] }]);
    const after = await callApi(operations.getTemplate, { key, params: { template_id: stored.id } });
    expect(after.body.data).toEqual(stored);
  });

  it("TMPL-04 reports every field at fault in one answer", async () => {
    const { key } = await makeAccount();
    const refused = await create(key, { env: "words", ssh_username: "a b", jupyter_directory: "x" });
    expect(refused.error.detail).toHaveLength(3);
  });

  it("TMPL-05 keeps what a change leaves out, and resets what is null", async () => {
    const { key } = await makeAccount();
    const stored = (await create(key, { image_tag: "1.2" })).body.data;
    const named = await update(key, stored.id, { name: "Other" });
    expect(named.body.data).toEqual({ ...stored, name: "Other" });
    expect(await readPassword(stored.id)).toBe(everything.docker_password);

    const image = await update(key, stored.id, { image: "team/other" });
    expect(image.body.data).toMatchObject({ image: "team/other", image_tag: "1.2" });
    const tagged = await update(key, stored.id, { image: "team/other:2" });
    expect(tagged.body.data).toMatchObject({ image: "team/other", image_tag: "2" });

    const reset = await update(key, stored.id, {
      ...Object.fromEntries(Object.keys(everything).map((name) => [name, null])),
      name: "Reset",
      image: "ubuntu",
    });
    const bare = await callApi(operations.createTemplate, { key, body: { name: "Reset", image: "ubuntu" } });
    expect(reset.body.data).toEqual({ ...bare.body.data, id: stored.id });
    expect(await readPassword(stored.id)).toBeNull();
  });

  it("TMPL-06 seals the registry's password to its row; absent keeps it, an empty string clears it", async () => {
    const { key } = await makeAccount();
    const { id } = (await create(key)).body.data;
    const row = await db().template.findUniqueOrThrow({ where: { id } });
    const sealed = row.dockerPasswordSealed ?? new Uint8Array();
    expect(Buffer.from(sealed).includes("hunter2")).toBe(false);
    expect(await readPassword(id)).toBe(everything.docker_password);
    expect(() => openPassword(sealed, "template:tmpl_other")).toThrow(/another row/);

    await update(key, id, { docker_password: "new-one" });
    expect(await readPassword(id)).toBe("new-one");
    await update(key, id, { docker_password: "" });
    expect(await readPassword(id)).toBeNull();
  });

  it.each([
    ["the registry changes", { docker_registry: "quay.io" }],
    ["the registry is reset", { docker_registry: null }],
    ["the image names another registry", { docker_registry: null, image: "quay.io/team/trainer" }],
  ])("TMPL-07 never lets a password travel to another registry: cleared when %s", async (_, body) => {
    const { key } = await makeAccount();
    const { id } = (await create(key)).body.data;
    expect((await update(key, id, body)).status).toBe(200);
    expect(await readPassword(id)).toBeNull();
  });

  it("TMPL-08 keeps a password when the same registry is only written elsewhere", async () => {
    const { key } = await makeAccount();
    const { id } = (await create(key)).body.data;
    await update(key, id, { docker_registry: null, image: "ghcr.io/team/trainer", docker_username: "two" });
    expect(await readPassword(id)).toBe(everything.docker_password);
  });

  it("TMPL-09 shows others only what an operator published and its owner keeps open", async () => {
    const [owner, other] = [await makeAccount(), await makeAccount()];
    const { id, ...stored } = (await create(owner.key, { is_private: false })).body.data;
    const params = { template_id: id };
    const ask = async () => {
      const got = await callApi(operations.getTemplate, { key: other.key, params });
      const listed = await callApi(operations.listTemplates, { key: other.key });
      expect(listed.body.data.some((template) => template.id === id)).toBe(got.status === 200);
      return got;
    };
    expect((await ask()).status).toBe(404);
    await publishTemplate(id);
    expect((await ask()).body.data).toEqual({
      ...stored,
      id,
      is_published: true,
      docker_login: null,
      docker_registry: null,
      env: null,
    });
    await update(owner.key, id, { is_private: true });
    expect((await ask()).status).toBe(404);
    await update(owner.key, id, { is_private: false });
    expect((await ask()).status).toBe(200);
    await unpublishTemplate(id);
    expect((await ask()).status).toBe(404);
    await expect(publishTemplate("tmpl_missing")).rejects.toMatchObject({ code: "not_found" });
    await expect(unpublishTemplate("tmpl_missing")).rejects.toMatchObject({ code: "not_found" });
  });

  it("TMPL-10 lets only the owner change or delete it; to others it is missing, published or not", async () => {
    const [owner, other] = [await makeAccount(), await makeAccount()];
    const { templateId } = await makeTemplate(owner.userId);
    const headers = { "x-request-id": "same" };
    const ask = async (id: string) => {
      const call = { key: other.key, params: { template_id: id }, headers };
      const changed = await callApi(operations.updateTemplate, { ...call, body: { name: "Taken" } });
      return [changed.error, (await callApi(operations.deleteTemplate, call)).error];
    };
    const missing = await ask("tmpl_missing");
    expect(missing.map(({ code }) => code)).toEqual(["not_found", "not_found"]);
    expect(await ask(templateId)).toEqual(missing);
    await publishTemplate(templateId);
    expect(await ask(templateId)).toEqual(missing);
    await unpublishTemplate(templateId);
    const row = await db().template.findUniqueOrThrow({ where: { id: templateId } });
    expect([row.name, row.version]).toEqual(["Ubuntu", 0]);
  });

  it("TMPL-11 loses nothing of changes made at once, and counts each", async () => {
    const { key } = await makeAccount();
    const { id } = (await create(key)).body.data;
    const bodies = [{ name: "One" }, { description: "Two" }, { env: "C=3" }, { readme: "Four" }];
    const answers = await Promise.all(bodies.map((body) => update(key, id, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const row = await db().template.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ name: "One", description: "Two", env: "C=3", readme: "Four", version: 4 });
  });

  it("TMPL-12 deletes a template once, and instances keep what they froze of it", async () => {
    const { userId, key } = await makeAccount();
    const { templateId } = await makeTemplate(userId);
    const snapshot = { name: "frozen" };
    const instanceId = await makeInstance(userId, { templateId, templateSnapshot: snapshot });
    const call = { key, params: { template_id: templateId } };
    const answers = await Promise.all([1, 2].map(() => callApi(operations.deleteTemplate, call)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await callApi(operations.getTemplate, call)).status).toBe(404);
    const instance = await db().instance.findUniqueOrThrow({ where: { id: instanceId } });
    expect(instance.templateSnapshot).toEqual(snapshot);
  });

  it("TMPL-13 lists by type, name and popularity of 30 days, in pages", async () => {
    const { userId, key } = await makeAccount();
    const make = async (name: string, useSsh: boolean, useJupyter: boolean, started: number) => {
      const { templateId } = await makeTemplate(userId, { name, useSsh, useJupyter });
      for (let count = 0; count < started; count += 1) await makeInstance(userId, { templateId });
      return templateId;
    };
    await make("alpha", true, false, 1);
    await make("Beta", true, true, 3);
    const old = await make("gamma", false, false, 2);
    const longAgo = new Date(Date.now() - 31 * 86_400_000);
    await db().instance.updateMany({ where: { templateId: old }, data: { createdAt: longAgo } });

    expect((await listNames(key, { sort_by: "name_asc" })).names).toEqual(["alpha", "Beta", "gamma"]);
    expect((await listNames(key, { sort_by: "name_desc" })).names).toEqual(["gamma", "Beta", "alpha"]);
    expect((await listNames(key, {})).names).toEqual(["Beta", "alpha", "gamma"]);
    expect((await listNames(key, { sort_by: "popularity_asc" })).names).toEqual(["gamma", "alpha", "Beta"]);
    const named = { sort_by: "name_asc" };
    expect(await listNames(key, { ...named, type: "ssh" })).toEqual({ names: ["alpha", "Beta"], total: 2 });
    expect(await listNames(key, { type: "jupyter" })).toEqual({ names: ["Beta"], total: 1 });
    expect(await listNames(key, { type: "docker" })).toEqual({ names: ["gamma"], total: 1 });
    expect(await listNames(key, { ...named, start: 1, limit: 1 })).toEqual({ names: ["Beta"], total: 3 });
    expect(await listNames(key, { start: 9 })).toEqual({ names: [], total: 3 });
  });
});
