import type { Socket } from "node:net";

const MOST_A_DOOR = 64;
const MOST_IN_ALL = 256;
const LOGIN_TIME_MS = 30_000;

interface Guest {
  door: object;
  address: string;
}

/**
 * Connections that are not logged in yet. When too many wait, the oldest of the address that has the most goes: who
 * floods a door from one address shuts out only himself.
 */
export class WaitingRoom {
  /** Oldest first. */
  readonly #guests = new Map<Socket, Guest>();

  enter(socket: Socket, door: object): void {
    const mine = [...this.#guests].filter(([, guest]) => guest.door === door);
    if (mine.length >= MOST_A_DOOR) sendAwayOne(mine);
    else if (this.#guests.size >= MOST_IN_ALL) sendAwayOne([...this.#guests]);
    this.#guests.set(socket, { door, address: socket.remoteAddress ?? "" });
    socket.once("close", () => this.leave(socket));
    const timer = setTimeout(() => this.#guests.has(socket) && socket.destroy(), LOGIN_TIME_MS);
    socket.once("close", () => clearTimeout(timer));
  }

  /** Logged in, or gone. */
  leave(socket: Socket): void {
    this.#guests.delete(socket);
  }
}

function sendAwayOne(guests: [Socket, Guest][]): void {
  const counts = new Map<string, number>();
  for (const [, { address }] of guests) counts.set(address, (counts.get(address) ?? 0) + 1);
  const most = Math.max(...counts.values());
  guests.find(([, { address }]) => counts.get(address) === most)?.[0].destroy();
}
