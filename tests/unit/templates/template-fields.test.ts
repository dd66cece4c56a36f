import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseLaunchSettings } from "../../../lib/contract/launch-settings";
import { mergePorts, parsePorts } from "../../../lib/contract/port-map";
import { imageToPull } from "../../../lib/templates/image-reference";
import { isContainerPath, isHttpsUrl, isSshUsername } from "../../../lib/templates/template-fields";
import presets from "../../../prisma/seed/templates.json" with { type: "json" };

/** Every field that a preset sets; strict, so that a misspelt one is found here and not on a renter's screen. */
const presetSchema = z.array(
  z.strictObject({
    name: z.string().min(1).max(100),
    description: z.string().min(1).max(300),
    image: z.string(),
    image_tag: z.string(),
    env: z.string().nullable(),
    use_ssh: z.boolean(),
    use_jupyter: z.boolean(),
    direct_ssh: z.boolean(),
    jupyter_directory: z.string().refine(isContainerPath).nullable(),
    use_jupyter_lab: z.boolean(),
    on_start_command: z.string().min(1),
    recommended_disk_space: z.number().positive(),
    href: z.string().refine(isHttpsUrl),
    ports: z.record(z.string(), z.enum(["tcp", "udp"])),
    readme: z.string().min(1),
    ssh_username: z.string().refine(isSshUsername),
  }),
);

describe("template fields", () => {
  it("TPL-20 reads ports only from 1 to 65535 to tcp or udp", () => {
    expect(parsePorts({ 8080: "tcp", "53": "udp" })).toEqual({ ports: { "53": "udp", "8080": "tcp" } });
    expect(parsePorts({})).toEqual({ ports: {} });
    const hostile: unknown = JSON.parse('{"__proto__": "tcp"}');
    const refused = [
      null,
      undefined,
      [],
      "80",
      80,
      hostile,
      { 0: "tcp" },
      { 65536: "tcp" },
      { "080": "tcp" },
      { "80/udp": "tcp" },
      { 80: "TCP" },
      { 80: null },
      { "": "tcp" },
    ];
    for (const ports of refused) expect(parsePorts(ports), JSON.stringify(ports)).toHaveProperty("problem");
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, port) => [port + 1, "tcp"]));
    expect(parsePorts(many(64))).toHaveProperty("ports");
    expect(parsePorts(many(65))).toHaveProperty("problem");
  });

  it("TPL-20 joins the ports of two fields, and refuses one port with two protocols", () => {
    expect(mergePorts({ "80": "tcp" }, { "80": "tcp", "53": "udp" })).toEqual({
      ports: { "80": "tcp", "53": "udp" },
    });
    expect(mergePorts({ "80": "tcp" }, { "80": "udp" })).toHaveProperty("problem");
  });

  it("TPL-21 takes POSIX user names of at most 32 characters", () => {
    for (const name of ["root", "ubuntu", "_apt", "a.b-c", "A1", "a".repeat(32)])
      expect(isSshUsername(name), name).toBe(true);
    for (const name of ["", "1", "-a", ".a", "a b", "a:b", "a\n", "é", "a$", "a/b", "a".repeat(33)])
      expect(isSshUsername(name), name).toBe(false);
  });

  it("TPL-21 takes absolute paths without control characters", () => {
    for (const path of ["/", "/workspace", "/home/a b/é", `/${"a".repeat(4095)}`])
      expect(isContainerPath(path)).toBe(true);
    for (const path of [
      "",
      "workspace",
      "~/a",
      "/a\nb",
      "/a\0",
      "/a\u0085",
      "/\ud800",
      `/${"é".repeat(2048)}`,
    ])
      expect(isContainerPath(path)).toBe(false);
  });

  it("TPL-21 takes https addresses only", () => {
    for (const url of ["https://example.com", "HTTPS://example.com/a?b#c", "https://пример.рф/я"])
      expect(isHttpsUrl(url), url).toBe(true);
    const refused = [
      "",
      "http://example.com",
      "javascript:alert(1)",
      "data:text/html,x",
      "//example.com",
      "https:example.com",
      "https://",
      "https:///a",
      "https://\\example.com",
      "https://example.com/\u202ea",
      "https://example.com/\ud800",
      "https://user:pw@example.com",
      "https://user@example.com",
      " https://example.com",
      "https://exa\nmple.com",
      "https://a b.com",
      "https://[::1",
      `https://example.com/${"a".repeat(2048)}`,
    ];
    for (const url of refused) expect(isHttpsUrl(url), url).toBe(false);
  });

  it("TPL-22 has six presets whose every field is valid", () => {
    const read = presetSchema.parse(presets);
    expect(new Set(read.map((preset) => preset.name)).size).toBe(6);
    for (const preset of read) {
      expect(imageToPull({ image: preset.image, imageTag: preset.image_tag }), preset.name).toMatchObject({
        image: preset.image,
        imageTag: preset.image_tag,
      });
      expect(parseLaunchSettings(preset.env ?? ""), preset.name).toHaveProperty("variables");
      expect(parsePorts(preset.ports), preset.name).toEqual({ ports: preset.ports });
      expect(preset.use_jupyter, preset.name).toBe(preset.ports["8888"] === "tcp");
      expect(preset.use_jupyter || preset.jupyter_directory === null).toBe(true);
    }
  });
});
