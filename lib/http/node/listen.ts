import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { StartupError } from "../../db/startup-error";

/** Where a server listens; `port` is the real one where 0 was asked for. */
export interface ListenAddress {
  host: string;
  port: number;
}

/**
 * Starts listening.
 * @param setting the variable that holds the port, for the sentence of the refusal
 * @throws StartupError that says what to do where the address cannot be had
 */
export function listenOn(server: Server, address: ListenAddress, setting = "PORT"): Promise<ListenAddress> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(explain(error, address, setting));
    server.once("error", onError);
    server.listen({ host: address.host, port: address.port }, () => {
      server.off("error", onError);
      resolve({ host: address.host, port: portOf(server.address()) });
    });
  });
}

/** The address as a link, with the brackets that IPv6 needs. */
export function linkTo({ host, port }: ListenAddress): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no TCP address");
  return address.port;
}

function explain(error: NodeJS.ErrnoException, { host, port }: ListenAddress, setting: string): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartupError(
        `Port ${port} on ${host} is in use by another program. Stop that program, or choose another port: ${setting}=${port + 1} npm start`,
      );
    case "EACCES":
      return new StartupError(
        `This user may not listen on port ${port}. Choose a port above 1023: ${setting}=3000 npm start`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartupError(
        `HOST=${host} is not an address of this machine. Use 127.0.0.1, 0.0.0.0 or one that it has.`,
      );
    default:
      return error;
  }
}
