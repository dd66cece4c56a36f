import type { z } from "zod";
import type { PortMap } from "../contract/port-map";
import type { template } from "../contract/template";
import type { TemplateRow } from "./template-row";

/** Section 2.9. Environment and registry credentials are the owner's; to others they are null. */
export function presentTemplate(row: TemplateRow, viewerId: string): z.output<typeof template> {
  const own = row.userId === viewerId;
  return {
    id: row.id,
    image: row.image,
    owner_id: row.userId,
    name: row.name,
    description: row.description,
    image_tag: row.imageTag,
    docker_login: own ? row.dockerUsername : null,
    docker_registry: own ? row.dockerRegistry : null,
    env: own ? row.env : null,
    ports: row.ports as PortMap,
    use_ssh: row.useSsh,
    use_jupyter: row.useJupyter,
    direct_ssh: row.directSsh,
    jupyter_directory: row.jupyterDirectory,
    use_jupyter_lab: row.useJupyterLab,
    on_start_command: row.onStartCommand,
    search_params: row.searchParams,
    recommended_disk_space: row.recommendedDiskSpace,
    href: row.href,
    picture: row.picture,
    readme: row.readme,
    is_private: row.isPrivate,
    is_published: row.publishedAt !== null,
    ssh_username: row.sshUsername,
  };
}
