import type { Door, GatewayOptions } from "./door";
import { DoorServer } from "./door-server";
import { WaitingRoom } from "./waiting-room";

/** An SSH server in front of containers: no image needs one of its own. One port an instance. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #room = new WaitingRoom();
  readonly #doors = new Map<string, DoorServer>();
  #own: DoorServer | null = null;
  /** Openings and closings one after another, so that none sees another half done. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  /** The agent's own door: proves the host key to whoever dials, lets nobody in. Rejects where the port is taken. */
  listen(port: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#own?.close();
      const own = new DoorServer(shutDoor(port), this.#options, this.#room);
      await own.listen();
      this.#own = own;
    });
  }

  /** Opens or replaces a door; the same door again changes nothing. Rejects where the port is taken. */
  open(door: Door): Promise<void> {
    return this.#inTurn(async () => {
      const present = this.#doors.get(door.instanceId);
      if (present && present.door.port === door.port && present.door.username === door.username) {
        present.door = door;
        return;
      }
      if (present?.door.port === door.port) await this.#shut(door.instanceId);
      const server = new DoorServer(door, this.#options, this.#room);
      await server.listen();
      await this.#shut(door.instanceId);
      this.#doors.set(door.instanceId, server);
    });
  }

  /** Closes the door and ends its sessions. */
  close(instanceId: string): Promise<void> {
    return this.#inTurn(() => this.#shut(instanceId));
  }

  /** Ends what goes into the container now (it is being stopped); the door stays. */
  disconnect(instanceId: string): void {
    this.#doors.get(instanceId)?.disconnect();
  }

  /** Closes every door; when it resolves, no process of theirs is left. */
  stop(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#own?.close();
      this.#own = null;
      await Promise.all([...this.#doors.keys()].map((instanceId) => this.#shut(instanceId)));
    });
  }

  async #shut(instanceId: string): Promise<void> {
    const server = this.#doors.get(instanceId);
    this.#doors.delete(instanceId);
    await server?.close();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

function shutDoor(port: number): Door {
  return { instanceId: "agent", port, username: "", container: () => null, keys: async () => [] };
}
