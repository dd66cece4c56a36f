import { z } from "zod";
import {
  flag,
  number,
  optional,
  pagingParameters,
  parameter,
  parameterWithDefault,
  reference,
  text,
  timestamp,
  withDefault,
} from "./common";

export const portProtocols = ["tcp", "udp"] as const;
export type TemplatePorts = Record<string, (typeof portProtocols)[number]>;

/** Section 2.9, with the additions `ports`, `readme`, `docker_registry` and `is_published`. */
export const template = z
  .strictObject({
    id: z.string(),
    image: z.string(),
    owner_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    image_tag: z.string(),
    docker_login: z.string().nullable().meta({ description: "Seen by the owner only" }),
    docker_registry: z.string().nullable().meta({ description: "Seen by the owner only" }),
    env: z.string().nullable(),
    ports: z.record(z.string(), z.enum(portProtocols)),
    use_ssh: z.boolean(),
    use_jupyter: z.boolean(),
    direct_ssh: z.boolean(),
    jupyter_directory: z.string().nullable(),
    use_jupyter_lab: z.boolean(),
    on_start_command: z.string().nullable(),
    search_params: z.string().nullable(),
    recommended_disk_space: z.number().nullable().meta({ description: "GB" }),
    href: z.string().nullable(),
    picture: z.string().nullable(),
    readme: z.string().nullable(),
    is_private: z.boolean(),
    is_published: z
      .boolean()
      .meta({ description: "An operator shows it to everyone while it is not private" }),
    ssh_username: z.string(),
  })
  .meta({ id: "Template" });

/** Section 2.10: what a template was when its instance was rented. */
export const templateSnapshot = z
  .strictObject({
    id: z.string(),
    image: z.string(),
    created_at: timestamp,
    user_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    readme: z.string().nullable(),
    image_tag: z.string(),
    docker_private: z.strictObject({
      registry: z.string().nullable(),
      login: z.string().nullable(),
      password: z.string().nullable().meta({ description: "Never sent back: null" }),
    }),
    env_variables: z.record(z.string(), z.string()),
    command: z.string().nullable(),
    ports: z.record(z.string(), z.enum(portProtocols)),
    ssh_enabled: z.boolean(),
    ssh_username: z.string(),
    ui_available: z.boolean(),
    ui_path: z.string().nullable(),
    ui_port: z.number().int().nullable(),
    min_storage_gb: z.number().nullable(),
    gpus: z.array(z.string()).meta({ description: "Recommended GPU translit names" }),
    url: z.string().nullable(),
    picture: z.string().nullable(),
    is_private: z.boolean(),
    template_version: z.number().int().nonnegative().meta({ description: "How often it had been changed" }),
  })
  .meta({ id: "TemplateSnapshot" });

export const templateSorts = ["name_asc", "name_desc", "popularity_asc", "popularity_desc"] as const;
export type TemplateSort = (typeof templateSorts)[number];
export const templateTypes = ["ssh", "jupyter", "docker"] as const;
export type TemplateType = (typeof templateTypes)[number];

export const templateParams = z.object({ template_id: reference() });

export const listTemplatesQuery = z.object({
  sort_by: parameterWithDefault(z.enum(templateSorts), "popularity_desc").meta({
    description: "Popularity is the number of instances started in 30 days.",
  }),
  type: parameter(z.enum(templateTypes)).meta({
    description: "How one reaches it: by SSH, by Jupyter, or by neither (docker).",
  }),
  ...pagingParameters,
});

const MAX_PORTS = 64;

function isPortMap(value: unknown): value is TemplatePorts {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_PORTS && entries.every(([port, protocol]) => isPort(port) && isProtocol(protocol))
  );
}

function isPort(port: string): boolean {
  return /^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= 65_535;
}

function isProtocol(protocol: unknown): boolean {
  return portProtocols.some((known) => known === protocol);
}

/** One schema for the whole map: an issue then names the field and never a key that the client chose. */
const ports = () =>
  z
    .custom<TemplatePorts>(
      isPortMap,
      `Must be an object of at most ${MAX_PORTS} ports, such as {"8080":"tcp","53":"udp"}`,
    )
    .meta({
      type: ["object", "null"],
      additionalProperties: { type: "string", enum: [...portProtocols] },
      description: "Container port → protocol",
    });

function isHttpsLink(value: string): boolean {
  return /^https:\/\/[^\s\p{Cc}]+$/u.test(value) && URL.canParse(value);
}

const link = (description: string) =>
  text({ max: 2048 })
    .refine((value) => value === "" || isHttpsLink(value), {
      message: "Must be an https:// link",
      params: { type: "url_parsing" },
    })
    .meta({ description });

/** Section 4.3 and the additions. The image reference and `env` are checked more deeply by the domain. */
const fields = {
  name: () => text({ min: 1, max: 120 }),
  image: () => text({ min: 1, max: 512 }),
  description: () => text({ max: 10_000 }),
  image_tag: () => text({ max: 128 }).meta({ description: "Default: latest" }),
  docker_username: () => text({ max: 255 }),
  docker_password: () => text({ max: 4096 }).meta({ description: "Stored sealed; never sent back" }),
  docker_registry: () => text({ max: 255 }),
  env: () => text({ max: 64_000 }).meta({ description: "K=V lines, or -e K=V … and -p [ext:]int[/udp]" }),
  ports,
  use_ssh: flag,
  use_jupyter: flag,
  direct_ssh: flag,
  jupyter_directory: () => text({ max: 4096 }),
  use_jupyter_lab: flag,
  on_start_command: () => text({ max: 64_000 }),
  search_params: () => text({ max: 10_000 }),
  recommended_disk_space: () => number().min(0).max(1_000_000).meta({ description: "GB" }),
  href: () => link("Stored as given, never fetched"),
  picture: () => link("Stored as given, never fetched"),
  readme: () => text({ max: 100_000 }),
  is_private: flag,
  ssh_username: () => text({ max: 32 }).meta({ description: "Default: root" }),
};

/** Absent, `null` and `""` are one. */
function filled<S extends z.ZodType<string, string>>(schema: S) {
  return schema.nullish().transform((value) => value || undefined);
}

function filledOr<S extends z.ZodType<string, string>>(schema: S, absent: string) {
  return schema
    .nullish()
    .transform((value) => value || absent)
    .meta({ default: absent });
}

/** `name` and `image` are required; everything else has a default. */
export const createTemplateBody = z
  .object({
    name: fields.name(),
    image: fields.image(),
    description: optional(fields.description()),
    image_tag: filledOr(fields.image_tag(), "latest"),
    docker_username: filled(fields.docker_username()),
    docker_password: filled(fields.docker_password()),
    docker_registry: filled(fields.docker_registry()),
    env: optional(fields.env()),
    ports: optional(fields.ports()),
    use_ssh: withDefault(fields.use_ssh(), false),
    use_jupyter: withDefault(fields.use_jupyter(), false),
    direct_ssh: withDefault(fields.direct_ssh(), false),
    jupyter_directory: filled(fields.jupyter_directory()),
    use_jupyter_lab: withDefault(fields.use_jupyter_lab(), false),
    on_start_command: filled(fields.on_start_command()),
    search_params: optional(fields.search_params()),
    recommended_disk_space: optional(fields.recommended_disk_space()),
    href: filled(fields.href()),
    picture: filled(fields.picture()),
    readme: optional(fields.readme()),
    is_private: withDefault(fields.is_private(), false),
    ssh_username: filledOr(fields.ssh_username(), "root"),
  })
  .meta({ id: "CreateTemplateBody" });

/** `null` and `""` are one: null. Absent stays absent. */
function resettable<S extends z.ZodType<string, string>>(schema: S) {
  return schema.nullish().transform((value) => (value === "" ? null : value));
}

/** An absent field keeps its value, `null` resets it to its default; `name` and `image` have none. */
export const updateTemplateBody = z
  .object({
    name: fields.name().optional(),
    image: fields.image().optional(),
    description: fields.description().nullish(),
    image_tag: resettable(fields.image_tag()),
    docker_username: resettable(fields.docker_username()),
    docker_password: resettable(fields.docker_password()).meta({
      description: "Absent keeps it; an empty string or null clears it",
    }),
    docker_registry: resettable(fields.docker_registry()),
    env: fields.env().nullish(),
    ports: fields.ports().nullish(),
    use_ssh: fields.use_ssh().nullish(),
    use_jupyter: fields.use_jupyter().nullish(),
    direct_ssh: fields.direct_ssh().nullish(),
    jupyter_directory: resettable(fields.jupyter_directory()),
    use_jupyter_lab: fields.use_jupyter_lab().nullish(),
    on_start_command: resettable(fields.on_start_command()),
    search_params: fields.search_params().nullish(),
    recommended_disk_space: fields.recommended_disk_space().nullish(),
    href: resettable(fields.href()),
    picture: resettable(fields.picture()),
    readme: fields.readme().nullish(),
    is_private: fields.is_private().nullish(),
    ssh_username: resettable(fields.ssh_username()),
  })
  .meta({ id: "UpdateTemplateBody" });
