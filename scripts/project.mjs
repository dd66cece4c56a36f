// Shared by the scripts; no dependency, since it runs before they are installed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const OLDEST_NODE = { major: 20, minor: 19 };
/** @type {NodeJS.Signals[]} */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** @type {(message: string) => never} */
export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Every script may be called from anywhere; paths such as DATA_DIR=.data mean the project's folder. */
export function chdirToProject() {
  process.chdir(ROOT);
}

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const old = OLDEST_NODE;
  if (major > old.major || (major === old.major && minor >= old.minor)) return;
  fail(
    `Berth needs Node ${old.major}.${old.minor} or newer, and this is ${process.versions.node}. Install a newer one from your system or nodejs.org, then run this again.`,
  );
}

/**
 * Runs a program to its end, its output shown or, with `quiet`, kept. A signal to us ends the program and then us.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean, onSpawn?: (pid: number) => void }} [options]
 * @returns {Promise<{ code: number, stdout: string, output: string }>} output: stdout and stderr, as they came
 */
export function runProgram(command, args, options = {}) {
  return new Promise((settle) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: options.env ?? process.env,
      stdio: options.quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    });
    if (child.pid) options.onSpawn?.(child.pid);
    /** @type {NodeJS.Signals | null} */
    let stopped = null;
    const stop = (/** @type {NodeJS.Signals} */ signal) => {
      stopped = signal;
      child.kill("SIGTERM");
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    const finish = (/** @type {number} */ code, /** @type {string} */ said) => {
      if (stopped) process.exit(stopped === "SIGINT" ? 130 : 143);
      for (const signal of SIGNALS) process.off(signal, stop);
      settle({ code, stdout, output: said });
    };
    let stdout = "";
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (part) => {
      stdout += part;
      output += part;
    });
    child.stderr?.setEncoding("utf8").on("data", (part) => {
      output += part;
    });
    child.once("error", (error) => finish(127, error.message));
    child.once("close", (code) => finish(code ?? 1, output));
  });
}

/**
 * Runs a program of an installed package.
 * @param {string} script path under node_modules
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean, onSpawn?: (pid: number) => void }} [options]
 */
export function runTool(script, args, options) {
  return runProgram(process.execPath, [join(ROOT, "node_modules", script), ...args], options);
}

/**
 * Runs a step and says how long it took.
 * @param {string} name
 * @param {() => Promise<void>} step
 */
export async function timeStep(name, step) {
  const start = performance.now();
  await step();
  process.stderr.write(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}

/**
 * The hash that the last success of a step left.
 * @param {string} file
 */
export function readStamp(file) {
  try {
    return readFileSync(join(ROOT, file), "utf8");
  } catch {
    return "";
  }
}

/**
 * @param {string} file
 * @param {string} hash
 */
export function writeStamp(file, hash) {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), hash);
}

/** @param {string} file */
export function removeStamp(file) {
  rmSync(join(ROOT, file), { force: true });
}

/**
 * One hash over names and contents of files and folders; what is absent counts as such.
 * @param {string[]} paths relative to the project
 * @param {string[]} [without] folders left out
 */
export function hashFiles(paths, without = []) {
  const hash = createHash("sha256");
  for (const path of paths) addToHash(hash, path, without);
  return hash.digest("hex");
}

/**
 * @param {import("node:crypto").Hash} hash
 * @param {string} path
 * @param {string[]} without
 */
function addToHash(hash, path, without) {
  if (without.includes(path)) return;
  const full = join(ROOT, path);
  const entry = statSync(full, { throwIfNoEntry: false });
  if (entry?.isDirectory()) {
    for (const name of readdirSync(full).sort()) addToHash(hash, `${path}/${name}`, without);
    return;
  }
  const content = entry ? readFileSync(full) : "";
  hash.update(`${path}\0${entry ? content.length : "absent"}\0`).update(content);
}
