import { isIPv6 } from "node:net";

/**
 * A container image as its parts, after the grammar of github.com/distribution/reference, read in linear time.
 * `registry` "ghcr.io" or "localhost:5000", in lower case, null where none is written (Docker Hub);
 * `repository` "library/ubuntu"; `tag` "24.04"; `digest` "sha256:<64 hexadecimal digits>".
 */
export type ImageReference = {
  registry: string | null;
  repository: string;
  tag: string | null;
  digest: string | null;
};

/** A sentence for people: what is wrong and what to write instead. It never repeats the input. */
export type ImageProblem = { problem: string };

const LONGEST = 255;
const DOCKER_HUB = new Set([
  "docker.io",
  "index.docker.io",
  "registry-1.docker.io",
  "registry.hub.docker.com",
]);
/** Hexadecimal digits of a digest. Other algorithms are in the grammar, but no registry serves them. */
const DIGEST_DIGITS = new Map([
  ["sha256", 64],
  ["sha512", 128],
]);

/** Reads the template's `image`: "ubuntu", "ghcr.io/a/b", "a/b:tag", "a/b@sha256:…". */
export function parseImage(image: string): ImageReference | ImageProblem {
  const problem = findTextProblem(image);
  if (problem) return { problem };

  const [beforeDigest, digest] = cut(image, image.indexOf("@"));
  if (digest !== null && !isDigest(digest))
    return {
      problem:
        "The part after @ must be a digest: sha256: and 64 lower-case hexadecimal digits (or sha512: and 128).",
    };

  const colon = beforeDigest.lastIndexOf(":");
  const [name, tag] = cut(beforeDigest, colon > beforeDigest.lastIndexOf("/") ? colon : -1);
  if (tag !== null && !isImageTag(tag))
    return { problem: `The tag after the colon is not valid: ${TAG_RULE}.` };

  const slash = name.indexOf("/");
  const first = name.slice(0, slash);
  const hasRegistry = slash > 0 && (/[.:[]/.test(first) || first === "localhost");
  if (hasRegistry && !isRegistryHost(first))
    return { problem: "The part before the first / must be a registry's host name, with an optional :port." };
  const repository = hasRegistry ? name.slice(slash + 1) : name;
  const repositoryProblem = findRepositoryProblem(repository);
  if (repositoryProblem) return { problem: repositoryProblem };
  return { registry: hasRegistry ? first.toLowerCase() : null, repository, tag, digest };
}

const TAG_RULE = "a tag has up to 128 letters, digits, _, . and -, and begins with a letter, a digit or _";

/** Whether a text may be an image's tag: `[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}`. */
export function isImageTag(tag: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(tag);
}

/** Whether a text may be a registry: a host name, IPv4 or bracketed IPv6 address, with an optional port. */
export function isRegistryHost(registry: string): boolean {
  if (registry.length > LONGEST) return false;
  const bracket = registry.startsWith("[") ? registry.indexOf("]") : -1;
  const [host, port] = cut(registry, registry.indexOf(":", bracket + 1));
  if (port !== null && !(/^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= 65_535)) return false;
  if (bracket > 0)
    return (
      host.length === bracket + 1 && /^[0-9A-Fa-f:]+$/.test(host.slice(1, -1)) && isIPv6(host.slice(1, -1))
    );
  return host.split(".").every((label) => /^[A-Za-z0-9-]{1,63}$/.test(label) && !/^-|-$/.test(label));
}

/** The three fields of a template; an absent one is null, undefined or "". */
export type TemplateImage = {
  image: string;
  imageTag?: string | null | undefined;
  registry?: string | null | undefined;
};

/** Which of the three fields is at fault, in the domain's names. */
export type TemplateImageProblem = { field: "image" | "imageTag" | "registry"; problem: string };

/**
 * What an engine is told to pull: always with the registry, and by digest alone where there is one, as not every
 * engine takes tag and digest together. `image` and `imageTag` are how the template is stored, the tag moved out of
 * the image. Pass the `imageTag` of the request, not a stored default: a tag that differs from the image's is a problem.
 */
export function imageToPull(
  template: TemplateImage,
): { reference: string; image: string; imageTag: string } | TemplateImageProblem {
  const parsed = parseImage(template.image);
  if ("problem" in parsed) return { field: "image", problem: parsed.problem };
  const imageTag = template.imageTag || null;
  const registry = template.registry?.toLowerCase() || null;
  const problem = findTemplateProblem(parsed, imageTag, registry);
  if (problem) return problem;

  const host = canonicalRegistry(parsed.registry ?? registry);
  const isOfficial = host === "docker.io" && !parsed.repository.includes("/");
  const name = `${host}/${isOfficial ? "library/" : ""}${parsed.repository}`;
  if (name.length > LONGEST)
    return {
      field: "image",
      problem: `The registry and image together must be at most ${LONGEST} characters long.`,
    };
  const tag = imageTag ?? parsed.tag ?? "latest";
  const written = parsed.registry === null ? parsed.repository : `${parsed.registry}/${parsed.repository}`;
  return {
    reference: parsed.digest === null ? `${name}:${tag}` : `${name}@${parsed.digest}`,
    image: parsed.digest === null ? written : `${written}@${parsed.digest}`,
    imageTag: tag,
  };
}

function findTemplateProblem(
  parsed: ImageReference,
  imageTag: string | null,
  registry: string | null,
): TemplateImageProblem | null {
  if (imageTag !== null && !isImageTag(imageTag))
    return { field: "imageTag", problem: `This is not a valid tag: ${TAG_RULE}.` };
  if (imageTag !== null && parsed.tag !== null && imageTag !== parsed.tag)
    return {
      field: "imageTag",
      problem: "The image names another tag than this. Leave the tag out of one of the two.",
    };
  if (registry !== null && !isRegistryHost(registry))
    return {
      field: "registry",
      problem: registry.includes("://")
        ? "Leave out https:// and any path: write only the registry's host, such as ghcr.io."
        : "This must be a registry's host name with an optional :port, such as ghcr.io.",
    };
  if (registry !== null && parsed.registry !== null && !isSameRegistry(registry, parsed.registry))
    return {
      field: "registry",
      problem: "The image names another registry than this. Leave the registry out of one of the two.",
    };
  return null;
}

function canonicalRegistry(registry: string | null): string {
  return registry === null || DOCKER_HUB.has(registry) ? "docker.io" : registry;
}

function isSameRegistry(left: string, right: string): boolean {
  return canonicalRegistry(left) === canonicalRegistry(right);
}

function findTextProblem(image: string): string | null {
  if (image === "") return "An image is needed, such as ubuntu or ghcr.io/owner/name.";
  if (image.length > LONGEST) return `The image must be at most ${LONGEST} characters long.`;
  if (/[\s\p{C}]/u.test(image)) return "The image must not hold spaces or control characters.";
  if (image.includes("://"))
    return "Leave out https:// (or docker://): write only host/path, such as ghcr.io/owner/name.";
  if (/[^!-~]/.test(image)) return "The image may hold only ASCII letters, digits and . _ - / : @.";
  return null;
}

function findRepositoryProblem(repository: string): string | null {
  if (/[A-Z]/.test(repository))
    return "The image's name must be in lower case; only a tag may have capital letters.";
  if (repository.includes("..")) return "The image's name must not hold two dots in a row.";
  if (!repository.split("/").every(isPathComponent))
    return "Each part of the image's name between slashes must begin and end with a letter or digit, with only single dots, one or two underscores, or hyphens between them.";
  if (/^[0-9a-f]{64}$/.test(repository))
    return "This is an image's id, which no registry knows. Name the image, such as owner/name@sha256:….";
  return null;
}

/** `[a-z0-9]+` joined by `.`, `_`, `__` or hyphens; the pieces between runs of letters are exactly the separators. */
function isPathComponent(component: string): boolean {
  const separators = component.split(/[a-z0-9]+/);
  if (separators.length < 2 || separators[0] !== "" || separators[separators.length - 1] !== "") return false;
  return separators.slice(1, -1).every((between) => /^(?:\.|__?|-+)$/.test(between));
}

function isDigest(digest: string): boolean {
  const [algorithm, digits] = cut(digest, digest.indexOf(":"));
  return digits !== null && DIGEST_DIGITS.get(algorithm) === digits.length && /^[0-9a-f]+$/.test(digits);
}

/** The text before and after the character at `index`; all of it and null where the index is -1. */
function cut(text: string, index: number): [string, string | null] {
  return index < 0 ? [text, null] : [text.slice(0, index), text.slice(index + 1)];
}
