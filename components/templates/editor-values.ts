import type { Call } from "@/lib/client/call-operation";
import type { Launch } from "@/lib/client/docker-run";
import { toVariables, type Variable, writeVariables } from "@/lib/client/environment";
import { type LaunchSettings, parseLaunchSettings } from "@/lib/contract/launch-settings";
import type { Protocol } from "@/lib/contract/port-map";
import type { Template } from "./template";

/** What the editor holds: texts as they are typed, under the API's own names where there is one. */
export interface EditorValues {
  name: string;
  image: string;
  image_tag: string;
  use_ssh: boolean;
  direct_ssh: boolean;
  use_jupyter: boolean;
  use_jupyter_lab: boolean;
  jupyter_directory: string;
  ssh_username: string;
  variables: Variable[];
  ports: { port: string; protocol: Protocol }[];
  on_start_command: string;
  docker_registry: string;
  docker_username: string;
  docker_password: string;
  clearsPassword: boolean;
  recommended_disk_space: string;
  is_private: boolean;
  description: string;
  href: string;
  readme: string;
}

export const emptyTemplate: EditorValues = {
  name: "",
  image: "",
  image_tag: "",
  use_ssh: true,
  direct_ssh: true,
  use_jupyter: false,
  use_jupyter_lab: true,
  jupyter_directory: "",
  ssh_username: "",
  variables: [],
  ports: [],
  on_start_command: "",
  docker_registry: "",
  docker_username: "",
  docker_password: "",
  clearsPassword: false,
  recommended_disk_space: "",
  is_private: false,
  description: "",
  href: "",
  readme: "",
};

/** The environment as the API checked it when it was stored. */
function readEnvironment(template: Template): LaunchSettings {
  const read = parseLaunchSettings(template.env ?? "");
  return "problem" in read ? { variables: {}, ports: {} } : read;
}

export function toEditorValues(template: Template): EditorValues {
  const { variables, ports } = readEnvironment(template);
  return {
    ...emptyTemplate,
    name: template.name,
    image: template.image,
    image_tag: template.image_tag,
    use_ssh: template.use_ssh,
    direct_ssh: template.direct_ssh,
    use_jupyter: template.use_jupyter,
    use_jupyter_lab: template.use_jupyter_lab,
    jupyter_directory: template.jupyter_directory ?? "",
    ssh_username: template.ssh_username,
    variables: toVariables(variables),
    ports: Object.entries({ ...template.ports, ...ports }).map(([port, protocol]) => ({ port, protocol })),
    on_start_command: template.on_start_command ?? "",
    docker_registry: template.docker_registry ?? "",
    docker_username: template.docker_login ?? "",
    recommended_disk_space: template.recommended_disk_space?.toString() ?? "",
    is_private: template.is_private,
    description: template.description ?? "",
    href: template.href ?? "",
    readme: template.readme ?? "",
  };
}

const filled = <T>(rows: T[], text: (row: T) => string) => rows.filter((row) => text(row).trim() !== "");

/** The body of a create or an update: "" becomes null, which resets; a password that was not typed stays away. */
export function toBody(values: EditorValues) {
  const { variables, ports, clearsPassword, docker_password, recommended_disk_space, ...rest } = values;
  const disk = recommended_disk_space.trim();
  return {
    ...rest,
    name: rest.name.trim(),
    image: rest.image.trim(),
    image_tag: rest.image_tag.trim() || null,
    jupyter_directory: rest.jupyter_directory.trim() || null,
    ssh_username: rest.ssh_username.trim() || null,
    on_start_command: rest.on_start_command || null,
    docker_registry: rest.docker_registry.trim() || null,
    docker_username: rest.docker_username.trim() || null,
    description: rest.description || null,
    href: rest.href.trim() || null,
    readme: rest.readme || null,
    env: writeVariables(filled(variables, ({ name, value }) => name + value)) || null,
    ports: Object.fromEntries(
      filled(ports, ({ port }) => port).map(({ port, protocol }) => [port.trim(), protocol]),
    ),
    recommended_disk_space: disk === "" ? null : Number(disk.replace(",", ".")),
    ...(docker_password ? { docker_password } : clearsPassword ? { docker_password: null } : {}),
  } satisfies Call<"createTemplate">["body"] & Call<"updateTemplate">["body"];
}

/** The same for a template that is there: an environment whose rows are as they were stays as its owner wrote it. */
export function toChange(values: EditorValues, template: Template) {
  const { env, ...rest } = toBody(values);
  const { variables, ports } = readEnvironment(template);
  const isKept = Object.keys(ports).length === 0 && writeVariables(toVariables(variables)) === (env ?? "");
  return isKept ? rest : { ...rest, env };
}

/** What would run if it were saved as it stands. */
export function toLaunchOf(values: EditorValues): Launch {
  return {
    image: values.image.trim() || "IMAGE",
    imageTag: values.image_tag.trim(),
    command: values.on_start_command,
    useSsh: values.use_ssh,
    useJupyter: values.use_jupyter,
    useJupyterLab: values.use_jupyter_lab,
    jupyterDirectory: values.jupyter_directory.trim(),
    variables: Object.fromEntries(
      values.variables.filter(({ name }) => name).map(({ name, value }) => [name, value]),
    ),
    ports: Object.fromEntries(
      values.ports.filter(({ port }) => port).map(({ port, protocol }) => [port, protocol]),
    ),
  };
}
