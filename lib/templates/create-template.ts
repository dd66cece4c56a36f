import type { Body, Operations } from "../contract/operations";
import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { newId } from "../kernel/ids";
import { checkTemplate } from "./check-template";
import { sealPassword } from "./registry-password";
import type { TemplateRow } from "./template-row";

/** @throws ValidationError */
export async function createTemplate(
  ctx: Ctx,
  wish: Body<Operations["createTemplate"]>,
): Promise<TemplateRow> {
  const id = newId("tmpl");
  const fields = {
    dockerRegistry: wish.docker_registry?.toLowerCase() ?? null,
    env: wish.env ?? null,
    ports: wish.ports ?? {},
    jupyterDirectory: wish.jupyter_directory ?? null,
    href: wish.href ?? null,
    picture: wish.picture ?? null,
    sshUsername: wish.ssh_username,
  };
  // "latest" is also what an absent tag becomes, so it does not contradict a tag within the image.
  const imageTag = wish.image_tag === "latest" ? null : wish.image_tag;
  const image = checkTemplate({ ...fields, image: wish.image, imageTag });
  return db().template.create({
    data: {
      id,
      userId: ctx.userId,
      name: wish.name,
      description: wish.description ?? null,
      ...fields,
      ...image,
      dockerUsername: wish.docker_username ?? null,
      dockerPasswordSealed: wish.docker_password
        ? sealPassword(wish.docker_password, `template:${id}`)
        : null,
      useSsh: wish.use_ssh,
      useJupyter: wish.use_jupyter,
      directSsh: wish.direct_ssh,
      useJupyterLab: wish.use_jupyter_lab,
      onStartCommand: wish.on_start_command ?? null,
      searchParams: wish.search_params ?? null,
      recommendedDiskSpace: wish.recommended_disk_space || null,
      readme: wish.readme ?? null,
      isPrivate: wish.is_private,
    },
  });
}
