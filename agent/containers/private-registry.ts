import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";

/** Images of the machine itself, which no registry has. */
export const LOCAL_IMAGE = "localhost/";

/**
 * Why an image is not for renters; null where it is. The engine pulls from where the machine stands, so a renter could
 * otherwise have its owner's own images, and knock at every door of the owner's private network. A name is looked up here
 * and again by the engine: that keeps honest names honest, and is no more than that.
 */
export async function findPrivateRegistry(image: string): Promise<string | null> {
  const [host = ""] = image.split("/");
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  const addresses = await lookup(name, { all: true }).catch(() => []); // a name that nobody knows is the engine's to report
  const isPrivate =
    name === "localhost" || addresses.some(({ address }) => ipaddr.process(address).range() !== "unicast");
  if (!isPrivate) return null;
  return "Images of the machine itself, and of registries in its private network, are for its owner alone. Name an image of a public registry.";
}
