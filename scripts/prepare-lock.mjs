// One preparation at a time in one clone; no dependency, since it runs before they are installed.
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "./project.mjs";

const FOLDER = join(ROOT, ".stamps");
const FILE = join(FOLDER, "preparing");

/**
 * Runs `step` while no other process of this clone prepares it. The lock of a killed one is put out of the way once what
 * it ran has ended.
 * @param {() => Promise<void>} step
 */
export async function whileAlone(step) {
  mkdirSync(FOLDER, { recursive: true });
  await takeLock();
  try {
    await step();
  } finally {
    rmSync(FILE, { force: true });
  }
}

/**
 * Names a program that prepares for us: it goes on when we are killed, and the next run must wait for it.
 * @param {number} pid
 */
export function addPreparer(pid) {
  appendFileSync(FILE, ` ${pid}`);
}

async function takeLock() {
  for (let told = false; ; await sleep(100)) {
    if (tryLock()) return;
    const holder = readHolder();
    if (holder === null) continue;
    const busy = holder.split(" ").find((pid) => isPreparing(Number(pid)));
    if (!busy) {
      setAside(holder);
      continue;
    }
    if (!told) process.stderr.write(`Waiting for process ${busy}, which is preparing this folder.\n`);
    told = true;
  }
}

function tryLock() {
  try {
    writeFileSync(FILE, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function readHolder() {
  try {
    return readFileSync(FILE, "utf8");
  } catch {
    return null;
  }
}

/**
 * A pid may be in use again by another program; ours work in this folder.
 * @param {number} pid
 */
function isPreparing(pid) {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || readlinkSync(`/proc/${pid}/cwd`) === process.cwd();
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** @param {string} holder */
function setAside(holder) {
  const aside = `${FILE}.${process.pid}`;
  try {
    renameSync(FILE, aside);
    // Another process may have taken the lock between our reading and our moving it.
    if (readFileSync(aside, "utf8") !== holder) renameSync(aside, FILE);
    rmSync(aside, { force: true });
  } catch {
    // Another process was faster.
  }
}
