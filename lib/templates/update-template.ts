import type { Body, Operations } from "../contract/operations";
import type { PortMap } from "../contract/port-map";
import { inTransaction, type Tx } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { notFound } from "../kernel/errors";
import { checkTemplate } from "./check-template";
import { imageToPull, parseImage } from "./image-reference";
import { sealPassword } from "./registry-password";
import type { TemplateRow } from "./template-row";

type Wish = Body<Operations["updateTemplate"]>;

/** The given value; its default where it is null; the stored one where it is absent. */
function pick<T>(given: T | null | undefined, stored: T, reset: T): T {
  return given === undefined ? stored : (given ?? reset);
}

/**
 * Changes what is given: absent keeps, null resets. Only the owner may; to others it is missing.
 * @throws DomainError not_found · ValidationError
 */
export function updateTemplate(ctx: Ctx, templateId: string, wish: Wish): Promise<TemplateRow> {
  return inTransaction(async (tx) => {
    const stored = await lockTemplate(tx, ctx.userId, templateId);
    const fields = {
      dockerRegistry: pick(
        wish.docker_registry?.toLowerCase() ?? wish.docker_registry,
        stored.dockerRegistry,
        null,
      ),
      env: pick(wish.env, stored.env, null),
      ports: pick(wish.ports, stored.ports as PortMap, {}),
      jupyterDirectory: pick(wish.jupyter_directory, stored.jupyterDirectory, null),
      href: pick(wish.href, stored.href, null),
      picture: pick(wish.picture, stored.picture, null),
      sshUsername: pick(wish.ssh_username, stored.sshUsername, "root"),
    };
    const imageTag = pick(wish.image_tag, namesTag(wish.image) ? null : stored.imageTag, null);
    const image = checkTemplate({ ...fields, image: wish.image ?? stored.image, imageTag });
    return tx.template.update({
      where: { id: templateId },
      data: {
        ...fields,
        ...image,
        name: wish.name ?? stored.name,
        description: pick(wish.description, stored.description, null),
        dockerUsername: pick(wish.docker_username, stored.dockerUsername, null),
        dockerPasswordSealed: nextPassword(stored, wish, { ...fields, ...image }),
        useSsh: pick(wish.use_ssh, stored.useSsh, false),
        useJupyter: pick(wish.use_jupyter, stored.useJupyter, false),
        directSsh: pick(wish.direct_ssh, stored.directSsh, false),
        useJupyterLab: pick(wish.use_jupyter_lab, stored.useJupyterLab, false),
        onStartCommand: pick(wish.on_start_command, stored.onStartCommand, null),
        searchParams: pick(wish.search_params, stored.searchParams, null),
        recommendedDiskSpace: pick(wish.recommended_disk_space, stored.recommendedDiskSpace, null) || null,
        readme: pick(wish.readme, stored.readme, null),
        isPrivate: pick(wish.is_private, stored.isPrivate, false),
        version: { increment: 1 },
      },
    });
  });
}

/** A tag within a new image replaces the stored one where none is given beside it. */
function namesTag(image: string | undefined): boolean {
  const parsed = image === undefined ? null : parseImage(image);
  return parsed !== null && "tag" in parsed && parsed.tag !== null;
}

/** A password is kept only for the registry that it was given for: it must never travel to another one. */
function nextPassword(stored: TemplateRow, wish: Wish, next: Pulled) {
  if (wish.docker_password) return sealPassword(wish.docker_password, `template:${stored.id}`);
  const kept = wish.docker_password === undefined && registryOf(next) === registryOf(stored);
  return kept ? stored.dockerPasswordSealed : null;
}

type Pulled = Pick<TemplateRow, "image" | "imageTag" | "dockerRegistry">;

/** The host that the image comes from, wherever it is written. */
function registryOf({ image, imageTag, dockerRegistry: registry }: Pulled): string | null {
  const pull = imageToPull({ image, imageTag, registry });
  return "problem" in pull ? null : pull.reference.slice(0, pull.reference.indexOf("/"));
}

async function lockTemplate(tx: Tx, userId: string, templateId: string): Promise<TemplateRow> {
  await tx.$queryRaw`SELECT 1 FROM template WHERE id = ${templateId} AND user_id = ${userId} FOR UPDATE`;
  const row = await tx.template.findFirst({ where: { id: templateId, userId } });
  if (!row) throw notFound("template");
  return row;
}
