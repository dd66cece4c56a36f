import type Docker from "dockerode";
import type { Logger } from "pino";
import { type LogLine, MOST_LOG_LINES } from "@/lib/contract/agent-protocol";
import { LineBuffer } from "./line-buffer";
import { LogFollower } from "./log-follower";
import { ReplayCursor } from "./replay-cursor";

/** Of all instances together, in one taking: a report stays small, and the rest follows in the next. */
const MOST_CHARACTERS = 512 * 1024;
/** A state that is kept knows what was sent but not yet confirmed. */
const MOST_KEPT = 500;
const GAP = "lines are left out here: the container prints faster than its logs can be read";

type Followed = { buffer: LineBuffer; cursor: ReplayCursor | null; followers: LogFollower[] };

/** Collects what the containers print, and hands it on in order, a line once; memory and work are bounded for each. */
export class LogCollector {
  readonly #docker: Docker;
  readonly #log: Logger;
  readonly #onLines: () => void;
  readonly #followed = new Map<string, Followed>();
  #turn = 0;
  #stopped = false;

  /** @param options.onLines called when a line of an instance waits and none did before */
  constructor({ docker, log, onLines }: { docker: Docker; log: Logger; onLines?: () => void }) {
    this.#docker = docker;
    this.#log = log;
    this.#onLines = onLines ?? (() => undefined);
  }

  /**
   * These containers run, and no others. What another one printed last is still read; one that ran too shortly to be seen
   * running is named once all the same, then its whole log is read.
   * @param after when the newest line was that the control plane has, in nanoseconds; asked for instances that are new here
   */
  follow(
    containers: readonly { instanceId: string; id: string }[],
    after: (instanceId: string) => string | null,
  ): void {
    if (this.#stopped) return;
    const running = new Map(containers.map(({ instanceId, id }) => [instanceId, id]));
    for (const [instanceId, id] of running) {
      const followed = this.#get(instanceId);
      if (followed.cursor === null) startAfter(followed, after(instanceId));
      this.#followOne(instanceId, id, followed);
    }
    for (const [instanceId, { followers }] of this.#followed)
      for (const follower of followers) if (running.get(instanceId) !== follower.containerId) follower.end();
    this.#forgetOldest(running);
  }

  /**
   * Takes what waits, oldest first: at most `most` lines in all, shared among the instances, and no more of each than a
   * report may hold.
   */
  take(most: number): Record<string, LogLine[]> {
    const waiting = [...this.#followed].filter(([, { buffer }]) => buffer.waiting > 0);
    // Whoever came first last time comes last: a flood takes no other instance's place.
    const first = waiting.length === 0 ? 0 : this.#turn++ % waiting.length;
    const order = [...waiting.slice(first), ...waiting.slice(0, first)];
    const taken: Record<string, LogLine[]> = {};
    let lines = most;
    let characters = MOST_CHARACTERS;
    for (const [index, [instanceId, { buffer }]] of order.entries()) {
      const others = order.length - index;
      const share = Math.min(MOST_LOG_LINES, Math.ceil(lines / others));
      const own = buffer.take(share, Math.max(0, characters / others));
      if (own.length === 0) continue;
      taken[instanceId] = own;
      lines -= own.length;
      characters -= own.reduce((sum, { text }) => sum + text.length, 0);
    }
    return taken;
  }

  /** What was taken could not be sent: it comes first again. */
  putBack(lines: Readonly<Record<string, readonly LogLine[]>>): void {
    for (const [instanceId, own] of Object.entries(lines)) this.#get(instanceId).buffer.putBack(own);
  }

  /** A line of stream "system" from now, such as "container started". */
  say(instanceId: string, text: string): void {
    this.#fill(this.#get(instanceId).buffer, (buffer) => buffer.say(nowNs(), text));
  }

  stop(): void {
    this.#stopped = true;
    for (const { followers } of this.#followed.values()) for (const follower of followers) follower.stop();
  }

  #get(instanceId: string): Followed {
    const known = this.#followed.get(instanceId);
    if (known) return known;
    const made: Followed = { buffer: new LineBuffer(), cursor: null, followers: [] };
    this.#followed.set(instanceId, made);
    return made;
  }

  #followOne(instanceId: string, containerId: string, followed: Followed): void {
    const { buffer } = followed;
    const known = followed.followers.find((follower) => follower.containerId === containerId);
    if (known) {
      known.follow();
      return;
    }
    // Another container of the instance has a log of its own; the one before may still be read to its end.
    const isFirst = followed.followers.length === 0;
    const cursor = isFirst && followed.cursor !== null ? followed.cursor : new ReplayCursor(null);
    const follower = new LogFollower({
      docker: this.#docker,
      log: this.#log.child({ instanceId }),
      containerId,
      cursor,
      onLine: ({ atNs, stream, text }) => this.#fill(buffer, () => buffer.add(stream, atNs, text)),
      onGap: () => this.#fill(buffer, () => buffer.say(nowNs(), GAP)),
    });
    followed.followers = [...followed.followers.filter(({ finished }) => !finished), follower];
    follower.follow();
  }

  #fill(buffer: LineBuffer, put: (buffer: LineBuffer) => void): void {
    const before = buffer.waiting;
    put(buffer);
    if (before === 0 && buffer.waiting > 0) this.#onLines();
  }

  #forgetOldest(running: ReadonlyMap<string, string>): void {
    for (const [instanceId, { buffer, followers }] of this.#followed) {
      if (this.#followed.size <= MOST_KEPT) return;
      const isIdle = buffer.waiting === 0 && followers.every(({ finished }) => finished);
      if (isIdle && !running.has(instanceId)) this.#followed.delete(instanceId);
    }
  }
}

function startAfter(followed: Followed, after: string | null): void {
  followed.cursor = new ReplayCursor(after === null ? null : BigInt(after));
  if (after !== null) followed.buffer.leaveOutUntil(BigInt(after));
}

function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
