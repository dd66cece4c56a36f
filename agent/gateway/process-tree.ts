import { readdir, readFile, readlink } from "node:fs/promises";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const GRACE_MS = 2000;
const SIGNALS: Record<string, number> = constants.signals;

/**
 * Sends a signal to a container's process and its descendants. A pid may have been given to another process in the
 * meantime: only what shares the pid namespace of the container's first process is touched.
 */
export async function signalTree(pid: number, containerPid: number, name: string): Promise<void> {
  const number = SIGNALS[`SIG${name}`];
  if (number === undefined || pid <= 0 || containerPid <= 0) return;
  for (const each of await listTree(pid)) await signalOne(each, containerPid, number);
}

/** Hangs up; the first process is killed where it is still there after a while. */
export async function endTree(pid: number, containerPid: number): Promise<void> {
  await signalTree(pid, containerPid, "HUP");
  await signalTree(pid, containerPid, "CONT");
  const deadline = performance.now() + GRACE_MS;
  while ((await isInside(pid, containerPid)) && performance.now() < deadline) await sleep(50);
  await signalOne(pid, containerPid, SIGNALS.SIGKILL ?? 9);
}

async function signalOne(pid: number, containerPid: number, number: number): Promise<void> {
  if (!(await isInside(pid, containerPid))) return;
  try {
    process.kill(pid, number);
  } catch {
    // It ended between the look and the signal.
  }
}

async function isInside(pid: number, containerPid: number): Promise<boolean> {
  if (pid <= 0 || containerPid <= 0 || pid === containerPid) return false;
  const [its, container, own] = await Promise.all([pid, containerPid, "self"].map(namespaceOf));
  return its !== null && its === container && its !== own;
}

function namespaceOf(pid: number | string): Promise<string | null> {
  return readlink(`/proc/${pid}/ns/pid`).catch(() => null);
}

/** The process first, then its children, and theirs. */
async function listTree(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  const pids = (await readdir("/proc").catch(() => [])).map(Number).filter(Number.isInteger);
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The name, in brackets, may hold spaces and brackets; the parent is the second field after it.
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}
