export type Protocol = "tcp" | "udp";

/** `{"8080": "tcp"}`: the ports inside the container that are opened to the outside. */
export type PortMap = Record<string, Protocol>;

/** A sentence for people, which never repeats the input. */
export type PortProblem = { problem: string };

const MOST_PORTS = 64;

/** Reads a template's `ports`: an object from a port, 1–65535 without leading zeros, to "tcp" or "udp"; at most 64. */
export function parsePorts(ports: unknown): { ports: PortMap } | PortProblem {
  if (typeof ports !== "object" || ports === null || Array.isArray(ports))
    return { problem: 'Ports must be an object such as {"8080": "tcp"}.' };
  const read = new Map<string, Protocol>();
  for (const [port, protocol] of Object.entries(ports)) {
    if (!isPort(port))
      return { problem: 'Each port must be a whole number from 1 to 65535, such as "8080".' };
    if (!isProtocol(protocol)) return { problem: 'The value of each port must be "tcp" or "udp".' };
    if (read.size === MOST_PORTS) return { problem: TOO_MANY_PORTS };
    read.set(port, protocol);
  }
  return { ports: Object.fromEntries(read) };
}

/** The ports of the template's `ports` and of its `env` together; one port has one protocol. */
export function mergePorts(first: PortMap, second: PortMap): { ports: PortMap } | PortProblem {
  const merged = new Map(Object.entries(first));
  for (const [port, protocol] of Object.entries(second)) {
    const problem = addPort(merged, port, protocol);
    if (problem !== null) return { problem: `In ports and env together, ${problem}.` };
  }
  return { ports: Object.fromEntries(merged) };
}

const TOO_MANY_PORTS = `There may be at most ${MOST_PORTS} ports.`;

/** Adds a port that was checked before; a part of a sentence where it cannot be, else null. */
export function addPort(ports: Map<string, Protocol>, port: string, protocol: Protocol): string | null {
  const known = ports.get(port);
  if (known !== undefined && known !== protocol)
    return `port ${port} is given both as tcp and as udp, and a port has one protocol`;
  if (known === undefined && ports.size === MOST_PORTS) return `there are more than ${MOST_PORTS} ports`;
  ports.set(port, protocol);
  return null;
}

/** Whether a text is a port from 1 to 65535 in its shortest form. */
export function isPort(text: string): boolean {
  return /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535;
}

export function isProtocol(value: unknown): value is Protocol {
  return value === "tcp" || value === "udp";
}
