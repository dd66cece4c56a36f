import { subscribe } from "node:diagnostics_channel";
import { existsSync } from "node:fs";
import type { ClientRequest, IncomingMessage } from "node:http";
import { join } from "node:path";
import Docker from "dockerode";
import { StartError } from "./start-error";

/** Docker's socket, then Podman's as root and as a person. */
function findSockets(runtimeDir: string | undefined): string[] {
  const own = runtimeDir ? [join(runtimeDir, "podman/podman.sock"), join(runtimeDir, "docker.sock")] : [];
  return ["/var/run/docker.sock", "/run/podman/podman.sock", ...own].filter((path) => existsSync(path));
}

/** How to get an engine, for people. @param name how one says where it is */
export function noEngine(name: string): string {
  return `No container engine answers here. Install and start Docker (systemctl start docker) or Podman (systemctl enable --now podman.socket), or name one: ${name}.`;
}

/**
 * The named engine, or the first that answers.
 * @param named unix:///… or tcp://host:port
 * @throws StartError where none does
 */
export async function connectEngine(named: string | null, runtimeDir: string | undefined): Promise<Docker> {
  const candidates = named === null ? findSockets(runtimeDir).map((path) => `unix://${path}`) : [named];
  for (const candidate of candidates) {
    const docker = openEngine(candidate);
    if (
      await docker.ping().then(
        () => true,
        () => false,
      )
    )
      return docker;
  }
  throw new StartError(
    named === null
      ? noEngine("--engine unix:///path/to.sock")
      : `The container engine at ${named} does not answer. Start it, or name another.`,
  );
}

/**
 * docker-modem 5.0.7 listens for errors of its requests alone, so that a call whose answer breaks off, as when the engine
 * is killed, would never end, whatever its time limit: an error of the answer is one of its request. This holds for every
 * client of node:http in this process, and there is no other.
 */
function hearOfBrokenAnswers(message: unknown): void {
  const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
  response.once("error", (error) => {
    if (request.listenerCount("error") > 0) request.emit("error", error);
  });
}
subscribe("http.client.response.finish", hearOfBrokenAnswers);

/**
 * A client of the engine; nothing is asked of it yet.
 * @param address unix:///… or tcp://host:port
 * @throws StartError where it is neither
 */
export function openEngine(address: string): Docker {
  if (address.startsWith("unix://")) return new Docker({ socketPath: address.slice("unix://".length) });
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^(?:tcp|http):$/.test(url.protocol)) {
    throw new StartError("Name the engine as unix:///path/to.sock or tcp://host:port.");
  }
  return new Docker({ protocol: "http", host: url.hostname, port: Number(url.port || 2375) });
}

/** "Podman Engine 4.3.1". */
export async function nameEngine(docker: Docker): Promise<string> {
  const { Components, Version } = await docker.version();
  const name = Components?.[0]?.Name ?? "Docker Engine";
  return `${name} ${Version}`;
}
