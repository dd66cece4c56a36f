import { parseLaunchSettings } from "../contract/launch-settings";
import { mergePorts, type PortMap } from "../contract/port-map";
import { ValidationError } from "../kernel/errors";
import { imageToPull } from "./image-reference";
import { isContainerPath, isHttpsUrl, isSshUsername } from "./template-fields";

/** The fields of a template that rules of our own hold for. `imageTag` null: none was asked for. */
export interface TemplateFields {
  image: string;
  imageTag: string | null;
  dockerRegistry: string | null;
  env: string | null;
  ports: PortMap;
  jupyterDirectory: string | null;
  href: string | null;
  picture: string | null;
  sshUsername: string;
}

const wireNames = { image: "image", imageTag: "image_tag", registry: "docker_registry" } as const;

/**
 * Checks what the wire schemas cannot.
 * @returns image and tag as they are stored, a tag moved out of the image
 * @throws ValidationError with every field at fault
 */
export function checkTemplate(fields: TemplateFields): { image: string; imageTag: string } {
  const problems: [string, string][] = [];
  const pull = imageToPull({
    image: fields.image,
    imageTag: fields.imageTag,
    registry: fields.dockerRegistry,
  });
  if ("problem" in pull) problems.push([wireNames[pull.field], pull.problem]);
  const launch = parseLaunchSettings(fields.env ?? "");
  if ("problem" in launch) problems.push(["env", launch.problem]);
  else {
    const merged = mergePorts(fields.ports, launch.ports);
    if ("problem" in merged) problems.push(["ports", merged.problem]);
  }
  if (fields.jupyterDirectory !== null && !isContainerPath(fields.jupyterDirectory)) {
    problems.push(["jupyter_directory", "Must be an absolute path without control characters"]);
  }
  for (const name of ["href", "picture"] as const) {
    const link = fields[name];
    if (link !== null && !isHttpsUrl(link)) problems.push([name, "Must be an https:// link"]);
  }
  if (!isSshUsername(fields.sshUsername)) {
    problems.push(["ssh_username", "Must be a user name of at most 32 letters, digits, dots, - and _"]);
  }
  if (problems.length > 0 || "problem" in pull) {
    throw new ValidationError(
      problems.map(([field, msg]) => ({ loc: ["body", field], msg, type: "value_error" })),
    );
  }
  return { image: pull.image, imageTag: pull.imageTag };
}
