/**
 * The image and tag of what people copy: `ghcr.io/a/b:tag`, `a/b@sha256:…`, `docker pull a/b:tag`. The registry and a
 * digest stay with the image, as the API keeps them. `tag` is "" where none is written.
 */
export function splitImage(pasted: string): { image: string; tag: string } {
  const [text = ""] = pasted
    .trim()
    .replace(/^(?:docker|podman)\s+(?:image\s+)?pull\s+/, "")
    .replace(/^(?:https?|docker):\/\//, "")
    .split(/\s/);
  const at = text.indexOf("@");
  const name = at < 0 ? text : text.slice(0, at);
  const digest = at < 0 ? "" : text.slice(at);
  const colon = name.lastIndexOf(":");
  if (colon <= name.lastIndexOf("/")) return { image: text, tag: "" };
  return { image: name.slice(0, colon) + digest, tag: name.slice(colon + 1) };
}

/** The registry's host that an image names; Docker Hub where it names none. */
export function registryOf(image: string): string {
  const first = image.slice(0, image.indexOf("/"));
  return image.includes("/") && (/[.:[]/.test(first) || first === "localhost") ? first : "docker.io";
}
