import { createServer, type Server as NetServer, type Socket } from "node:net";
import ssh2, { type Algorithms, type Connection, type Server } from "ssh2";
import { guardLogin } from "./authenticate";
import type { Door, GatewayOptions } from "./door";
import { Forwarder } from "./forward/forwarder";
import { ProcessQuota } from "./start-process";
import { Visit } from "./visit";
import type { WaitingRoom } from "./waiting-room";

const MOST_CONNECTIONS = 128;
const KEEPALIVE_MS = 30_000;

/** ssh2's chacha20-poly1305 runs in WebAssembly at a fraction of the speed of AES-GCM, and clients ask for it first. */
const ALGORITHMS: Algorithms = {
  kex: ["curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256", "ecdh-sha2-nistp384"],
  cipher: ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes256-ctr", "aes128-ctr"],
  hmac: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"],
  compress: ["none"],
};

/** The SSH server of one door: its connections, logged in or not. */
export class DoorServer {
  door: Door;
  readonly #options: GatewayOptions;
  readonly #room: WaitingRoom;
  readonly #quota = new ProcessQuota();
  readonly #forwarder: Forwarder;
  readonly #listener: NetServer;
  readonly #ssh: Server;
  readonly #sockets = new Map<string, Socket>();
  readonly #visits = new Set<Visit>();

  constructor(door: Door, options: GatewayOptions, room: WaitingRoom) {
    this.door = door;
    this.#options = options;
    this.#room = room;
    this.#forwarder = new Forwarder(options.folder);
    const config = {
      hostKeys: [options.hostKey],
      algorithms: ALGORITHMS,
      ident: "berth",
      keepaliveInterval: KEEPALIVE_MS,
      keepaliveCountMax: 3,
    };
    this.#ssh = new ssh2.Server(config, (client, info) => {
      const socket = this.#sockets.get(`${info.ip} ${info.port}`);
      if (socket) this.#greet(client, socket);
      else client.end();
    });
    this.#listener = createServer({ noDelay: true }, (socket) => this.#receive(socket));
  }

  /** @throws Error where the port is taken */
  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#listener.once("error", reject);
      this.#listener.listen(this.door.port, this.#options.host, () => {
        this.#listener.removeListener("error", reject);
        this.#listener.on("error", (err) =>
          this.#options.log.error({ err, instanceId: this.door.instanceId }, "door"),
        );
        resolve();
      });
    });
  }

  /** Ends what goes into the container; who is connected may ask again, and is told that it does not run. */
  disconnect(): void {
    for (const visit of this.#visits) visit.end();
    this.#forwarder.end();
  }

  async close(): Promise<void> {
    this.disconnect();
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    for (const socket of this.#sockets.values()) socket.destroy();
    await closed;
    await this.#quota.settled();
  }

  #receive(socket: Socket): void {
    const name = `${socket.remoteAddress} ${socket.remotePort}`;
    socket.on("error", () => socket.destroy());
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    this.#sockets.set(name, socket);
    socket.once("close", () => this.#sockets.delete(name));
    this.#room.enter(socket, this);
    this.#ssh.injectSocket(socket);
  }

  #greet(client: Connection, socket: Socket): void {
    client.on("error", (err) => {
      this.#options.log.debug({ err, instanceId: this.door.instanceId }, "connection");
      socket.destroySoon();
    });
    guardLogin(client, () => this.door, this.#options.log);
    client.once("ready", () => {
      this.#room.leave(socket);
      if (this.#visits.size >= MOST_CONNECTIONS) {
        client.end();
        return;
      }
      const visit = new Visit(client, socket, () => this.door, this.#quota, this.#forwarder, this.#options);
      this.#visits.add(visit);
      socket.once("close", () => {
        this.#visits.delete(visit);
        visit.end();
      });
    });
  }
}
