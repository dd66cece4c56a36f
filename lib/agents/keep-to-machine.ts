import type { Seen } from "../contract/agent-protocol";

/** Where renters reach a machine, as it was proved by its gateway. */
export interface Place {
  address: string;
  firstPort: number;
  lastPort: number;
}

/**
 * What an agent sees, without ways that lead elsewhere: renters open what stands here, and a host owner must not be able to
 * send them to another machine, or to what is no address at all.
 */
export function keepToMachine(seen: Seen, place: Place): Seen {
  const isOwn = (port: number) => port >= place.firstPort && port <= place.lastPort;
  return {
    ...seen,
    address: seen.address === null ? null : place.address,
    sshPort: seen.sshPort !== null && isOwn(seen.sshPort) ? seen.sshPort : null,
    ports: Object.fromEntries(
      Object.entries(seen.ports).filter(
        ([guest, port]) =>
          /^\d{1,5}(\/(tcp|udp))?$/.test(guest) && /^\d{1,5}$/.test(port) && isOwn(Number(port)),
      ),
    ),
    uiUrl: seen.uiUrl !== null && leadsTo(seen.uiUrl, place.address, isOwn) ? seen.uiUrl : null,
  };
}

function leadsTo(text: string, address: string, isOwn: (port: number) => boolean): boolean {
  const home = `http://${address.includes(":") ? `[${address}]` : address}`;
  if (!URL.canParse(text) || !URL.canParse(home)) return false;
  const { protocol, username, password, hostname, port } = new URL(text);
  if (username !== "" || password !== "" || hostname !== new URL(home).hostname) return false;
  return /^https?:$/.test(protocol) && isOwn(Number(port));
}
