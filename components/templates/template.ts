import type { AnswerOf, Call } from "@/lib/client/call-operation";
import type { Launch } from "@/lib/client/docker-run";
import { parseLaunchSettings } from "@/lib/contract/launch-settings";

export type Template = AnswerOf<"listTemplates">["data"][number];

/** Own and published templates, the most used first: what the gallery and the rent sheet ask for. */
export const allTemplates = {} satisfies Omit<Call<"listTemplates">, "signal">;

/** What of it decides what runs. An environment that is not one's own is not shown, and so is empty here. */
export function toLaunch(template: Template): Launch {
  const settings = parseLaunchSettings(template.env ?? "");
  const read = "problem" in settings ? { variables: {}, ports: {} } : settings;
  return {
    image: template.image,
    imageTag: template.image_tag,
    command: template.on_start_command ?? "",
    useSsh: template.use_ssh,
    useJupyter: template.use_jupyter,
    useJupyterLab: template.use_jupyter_lab,
    jupyterDirectory: template.jupyter_directory ?? "",
    variables: read.variables,
    ports: { ...template.ports, ...read.ports },
  };
}

/** Whether every word of `search` is in what people call it by. */
export function matchesSearch(template: Template, search: string): boolean {
  const text =
    `${template.name} ${template.image}:${template.image_tag} ${template.description ?? ""}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
