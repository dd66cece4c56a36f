import { parseLaunchSettings } from "../contract/launch-settings";
import { mergePorts, type PortMap } from "../contract/port-map";
import type { OfferView } from "../market/offer-view";
import type { TemplateRow } from "../templates/template-row";

/** A template as an instance froze it: plain JSON, times as ISO 8601, no password. */
export interface TemplateSnapshot {
  id: string;
  image: string;
  imageTag: string;
  createdAt: string;
  userId: string;
  name: string;
  description: string | null;
  readme: string | null;
  registry: string | null;
  login: string | null;
  variables: Record<string, string>;
  command: string | null;
  ports: PortMap;
  useSsh: boolean;
  sshUsername: string;
  useJupyter: boolean;
  useJupyterLab: boolean;
  jupyterDirectory: string | null;
  directSsh: boolean;
  recommendedDiskSpace: number | null;
  url: string | null;
  picture: string | null;
  isPrivate: boolean;
  version: number;
}

export type OfferSnapshot = OfferView;

export const JUPYTER_PORT = 8888;

/** Freezes a template for a renter. Environment and registry credentials go only into rents of the owner. */
export function snapshotTemplate(row: TemplateRow, renterId: string): TemplateSnapshot {
  const own = row.userId === renterId;
  const launch = parseLaunchSettings(row.env ?? "");
  if ("problem" in launch) throw new Error(`template ${row.id} holds settings that do not parse`);
  const merged = mergePorts(row.ports as PortMap, launch.ports);
  if ("problem" in merged) throw new Error(`template ${row.id} holds ports that do not merge`);
  return {
    id: row.id,
    image: row.image,
    imageTag: row.imageTag,
    createdAt: row.createdAt.toISOString(),
    userId: row.userId,
    name: row.name,
    description: row.description,
    readme: row.readme,
    registry: row.dockerRegistry,
    login: own ? row.dockerUsername : null,
    variables: own ? launch.variables : {},
    command: row.onStartCommand,
    ports: merged.ports,
    useSsh: row.useSsh,
    sshUsername: row.sshUsername,
    useJupyter: row.useJupyter,
    useJupyterLab: row.useJupyterLab,
    jupyterDirectory: row.jupyterDirectory,
    directSsh: row.directSsh,
    recommendedDiskSpace: row.recommendedDiskSpace,
    url: row.href,
    picture: row.picture,
    isPrivate: row.isPrivate,
    version: row.version,
  };
}
