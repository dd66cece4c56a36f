import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import presetFile from "../../prisma/seed/templates.json" with { type: "json" };
import type { Tx } from "../db/client";
import { newId } from "../kernel/ids";
import { checkTemplate } from "./check-template";

const presetSchema = z.array(
  z.object({
    name: z.string(),
    description: z.string(),
    image: z.string(),
    image_tag: z.string(),
    env: z.string().nullable(),
    use_ssh: z.boolean(),
    use_jupyter: z.boolean(),
    direct_ssh: z.boolean(),
    jupyter_directory: z.string().nullable(),
    use_jupyter_lab: z.boolean(),
    on_start_command: z.string().nullable(),
    recommended_disk_space: z.number(),
    href: z.string(),
    ports: z.record(z.string(), z.enum(["tcp", "udp"])),
    readme: z.string(),
    ssh_username: z.string(),
  }),
);

/**
 * Brings the presets of `ownerId` to what the program brings along. New ones are published; one that an operator has
 * unpublished stays so, and one that is no longer brought along is unpublished.
 */
export async function seedPresets(tx: Tx, ownerId: string): Promise<void> {
  const presets = readPresets();
  const created: string[] = [];
  const rows = await tx.template.findMany({ where: { userId: ownerId } });
  for (const preset of presets) {
    const row = rows.find(({ name }) => name === preset.name);
    if (!row) {
      const id = newId("tmpl");
      await tx.template.create({ data: { id, userId: ownerId, ...preset } });
      created.push(id);
    } else if (!isDeepStrictEqual({ ...row, ...preset }, row)) {
      await tx.template.update({ where: { id: row.id }, data: { ...preset, version: { increment: 1 } } });
    }
  }
  if (created.length > 0) {
    await tx.$executeRaw`UPDATE template SET published_at = now() WHERE id = ANY(${created})`;
  }
  await tx.template.updateMany({
    where: {
      userId: ownerId,
      name: { notIn: presets.map(({ name }) => name) },
      publishedAt: { not: null },
    },
    data: { publishedAt: null },
  });
}

function readPresets() {
  return presetSchema.parse(presetFile).map((preset) => {
    const fields = {
      env: preset.env,
      ports: preset.ports,
      jupyterDirectory: preset.jupyter_directory,
      href: preset.href,
      picture: null,
      sshUsername: preset.ssh_username,
    };
    return {
      name: preset.name,
      description: preset.description,
      ...fields,
      ...checkTemplate({
        ...fields,
        image: preset.image,
        imageTag: preset.image_tag,
        dockerRegistry: null,
      }),
      useSsh: preset.use_ssh,
      useJupyter: preset.use_jupyter,
      directSsh: preset.direct_ssh,
      useJupyterLab: preset.use_jupyter_lab,
      onStartCommand: preset.on_start_command,
      recommendedDiskSpace: preset.recommended_disk_space,
      readme: preset.readme,
    };
  });
}
