import type { ProviderDraft } from "./offer-draft";
import { findCountry } from "./places";

/** Clouds that public catalogues list: name, ISO country of the company (null where we do not know), site. */
const KNOWN: Record<string, [name: string, country: string | null, url: string | null]> = {
  aws: ["Amazon Web Services", "US", "https://aws.amazon.com"],
  azure: ["Microsoft Azure", "US", "https://azure.microsoft.com"],
  crusoecloud: ["Crusoe Cloud", "US", "https://crusoe.ai"],
  cudo: ["CUDO Compute", "GB", "https://www.cudocompute.com"],
  datacrunch: ["DataCrunch", "FI", "https://datacrunch.io"],
  do: ["DigitalOcean", "US", "https://www.digitalocean.com"],
  fluidstack: ["Fluidstack", "GB", "https://www.fluidstack.io"],
  gcp: ["Google Cloud", "US", "https://cloud.google.com"],
  hyperbolic: ["Hyperbolic", "US", "https://www.hyperbolic.ai"],
  hyperstack: ["Hyperstack", "GB", "https://www.hyperstack.cloud"],
  ibm: ["IBM Cloud", "US", "https://www.ibm.com/cloud"],
  lambda: ["Lambda", "US", "https://lambda.ai"],
  lambdalabs: ["Lambda", "US", "https://lambda.ai"],
  latitude: ["Latitude.sh", "BR", "https://www.latitude.sh"],
  massedcompute: ["Massed Compute", "US", "https://massedcompute.com"],
  nebius: ["Nebius", "NL", "https://nebius.com"],
  oblivus: ["Oblivus", "GB", "https://oblivus.com"],
  oci: ["Oracle Cloud", "US", "https://www.oracle.com/cloud"],
  paperspace: ["Paperspace", "US", "https://www.paperspace.com"],
  primeintellect: ["Prime Intellect", "US", "https://www.primeintellect.ai"],
  runpod: ["RunPod", "US", "https://www.runpod.io"],
  scp: ["Samsung Cloud Platform", "KR", "https://cloud.samsungsds.com"],
  vast: ["Vast.ai", "US", "https://vast.ai"],
  vultr: ["Vultr", "US", "https://www.vultr.com"],
};

function slug(id: string): string {
  return id
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
}

/** The provider that an upstream's own id ("runpod") means; null when nothing can be made of the id. */
export function thirdPartyProvider(id: string): ProviderDraft | null {
  const translitName = slug(id);
  if (translitName === "") return null;
  const known = KNOWN[translitName.replaceAll("-", "")];
  if (!known) return { translitName, name: id.trim().slice(0, 60), country: null, url: null };
  const [name, code, url] = known;
  return { translitName, name, country: code === null ? null : (findCountry(code)?.country ?? null), url };
}

/**
 * Which cloud a SkyPilot catalogue file lists; the rows do not say it, the path does
 * ("catalogs/v8/vast/vms.csv", "skypilot_v8_vast_vms.csv"). Null when the path names none.
 */
export function guessSkypilotCloud(path: string): string | null {
  const words = path
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .reverse();
  return words.find((word) => Object.hasOwn(KNOWN, word)) ?? null;
}
