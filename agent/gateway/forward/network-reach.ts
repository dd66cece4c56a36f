import { type ChildProcess, spawn } from "node:child_process";
import { readlink } from "node:fs/promises";
import { Socket } from "node:net";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../../lib/kernel/project-root";
import type { DoorContainer } from "../door";

const PROGRAM = join(PROJECT_ROOT, "agent/gateway/forward/reach.mjs");
const START_TIME_MS = 10_000;

interface Waiting {
  resolve(socket: Socket | null): void;
  reject(error: Error): void;
}

/** Dials from inside one container's network, through a process that stands in it: nothing else can be reached. */
export class NetworkReach {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    const start = this.#wait(0);
    start.catch(() => undefined);
    child.on("message", (message, handle) => this.#receive(message, handle));
    child.once("error", (error) => this.#fail(error));
    child.once("exit", () => this.#fail(new Error("the container has ended")));
    this.started = start.then(() => undefined);
  }

  private readonly started: Promise<void>;

  /**
   * @param folder where the process stands
   * @throws Error where this machine cannot enter the container's network
   */
  static async start(container: DoorContainer, folder: string): Promise<NetworkReach> {
    if (process.platform !== "linux" || container.pid <= 0)
      throw new Error(
        "the engine does not run on this machine, so its containers' networks cannot be entered",
      );
    const [network, own] = await Promise.all(
      [container.pid, "self"].map((pid) => readlink(`/proc/${pid}/ns/net`)),
    );
    if (!network || network === own) throw new Error("the container has no network of its own");
    const command = [`--net=/proc/${container.pid}/ns/net`, process.execPath, PROGRAM, network];
    const child = spawn("nsenter", command, {
      cwd: folder,
      env: { NODE_ENV: "production", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const reach = new NetworkReach(child);
    const timer = setTimeout(() => reach.end(), START_TIME_MS);
    await reach.started.finally(() => clearTimeout(timer));
    return reach;
  }

  get isEnded(): boolean {
    return !this.#child.connected;
  }

  /** A connection that is open, whose sides close one by one. @throws Error with the system's reason */
  async connect(host: string, port: number): Promise<Socket> {
    const id = ++this.#last;
    const waiting = this.#wait(id);
    this.#child.send({ id, host, port }, (error) => error && this.#settle(id)?.reject(error));
    const socket = await waiting;
    if (socket === null) throw new Error("the connection closed at once");
    socket.allowHalfOpen = true;
    return socket;
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }

  #wait(id: number): Promise<Socket | null> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #receive(message: unknown, handle: unknown): void {
    if (typeof message !== "object" || message === null || !("id" in message) || !("error" in message))
      return;
    const waiting = this.#settle(Number(message.id));
    const socket = handle instanceof Socket ? handle : null;
    if (!waiting) socket?.destroy();
    else if (message.error !== null) waiting.reject(new Error(String(message.error)));
    else waiting.resolve(socket);
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #fail(error: Error): void {
    for (const id of this.#waiting.keys()) this.#settle(id)?.reject(error);
  }
}
