// Brings a clone to where it can run: dependencies, database client, search kernel, programs and, with --build, pages. Each only after a change.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { compilePrograms } from "./compile.mjs";
import { addPreparer, whileAlone } from "./prepare-lock.mjs";
import {
  chdirToProject,
  fail,
  hashFiles,
  ROOT,
  readStamp,
  removeStamp,
  requireNode,
  runProgram,
  runTool,
  timeStep,
  writeStamp,
} from "./project.mjs";

// Not `npm ci`: it refuses a lock file without the packages of every platform, which registries that lack some make.
// This installs the locked versions as well, and changes no file of ours.
const NPM_INSTALL = ["install", "--no-save", "--include=dev", "--include=optional", "--ignore-scripts"];
const NPM_QUIET = ["--no-audit", "--no-fund", "--loglevel=error"];
const PAGE_SOURCES = [
  "app",
  "components",
  "lib",
  "messages",
  "prisma/seed",
  "public",
  "proxy.ts",
  "instrumentation.ts",
];
const BUILD_SETTINGS = ["next.config.mjs", "tailwind.config.ts", "postcss.config.mjs", "package-lock.json"];

const install = {
  name: "dependencies",
  stamp: "node_modules/.berth-installed",
  hash: () => hashFiles(["package-lock.json"]),
  run: installDependencies,
};
const generate = {
  name: "database client",
  stamp: "lib/db/generated/.stamp",
  hash: () => hashFiles(["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"]),
  run: generateClient,
};
const KERNEL = "lib/market/index/kernel";
const kernel = {
  name: "search kernel",
  stamp: `${KERNEL}/generated/.stamp`,
  hash: () => hashFiles([`${KERNEL}/rows.asm.ts`, "package-lock.json", "scripts/prepare.mjs"]),
  run: compileKernel,
};
/** Where the programs are once they are compiled. */
export const PROGRAMS = ".programs";
const PROGRAM_SOURCES = ["server.ts", "agent", "app", "cli", "lib", "prisma/seed", "prisma/schema.prisma"];
const COMPILE_SETTINGS = ["tsconfig.json", "package-lock.json", "scripts/compile.mjs", "scripts/prepare.mjs"];
const programs = {
  name: "programs",
  stamp: `${PROGRAMS}/.stamp`,
  hash: () =>
    hashFiles([...PROGRAM_SOURCES, ...COMPILE_SETTINGS], ["lib/db/generated", `${KERNEL}/generated`]),
  // What is there stays: a node that runs may still load parts of it.
  run: () => compilePrograms({ server: "server.ts", agent: "agent/main.ts", berth: "cli/main.ts" }, PROGRAMS),
};
/** What tests run as processes of their own. */
const TEST_PROGRAMS = {
  "run-server": "tests/support/run-server.ts",
  "run-test-node": "tests/server/run-test-node.ts",
};
const build = {
  name: "pages",
  stamp: ".next/berth-build",
  hash: () =>
    hashFiles(
      [...PAGE_SOURCES, ...BUILD_SETTINGS, "tsconfig.json", "prisma/schema.prisma"],
      ["lib/db/generated", `${KERNEL}/generated`],
    ),
  run: buildPages,
};

/**
 * Does what changed since its last success, one process at a time. Ends this process with a sentence where it cannot.
 * @param {{ build?: boolean, keepPackages?: boolean }} [options] keepPackages: what is installed stays, for a server may run on it
 */
export async function prepare({ build: isBuilt = false, keepPackages = false } = {}) {
  const isKept = keepPackages && existsSync(join(ROOT, "node_modules"));
  const steps = [...(isKept ? [] : [install]), generate, kernel, programs, ...(isBuilt ? [build] : [])];
  const isDue = (/** @type {typeof install} */ step) => readStamp(step.stamp) !== step.hash();
  if (!steps.some(isDue)) return;
  await whileAlone(async () => {
    for (const step of steps) {
      if (!isDue(step)) continue;
      const hash = step.hash();
      removeStamp(step.stamp); // what a kill leaves half done is not what the old stamp stood for
      await timeStep(step.name, step.run);
      writeStamp(step.stamp, hash);
    }
  });
}

async function installDependencies() {
  if (isInstalled()) return;
  process.stderr.write("Installing dependencies …\n");
  rmSync(join(ROOT, "node_modules"), { recursive: true, force: true }); // a killed install's half is not trusted
  const args = [...NPM_INSTALL, ...NPM_QUIET];
  const npm = process.env.npm_execpath;
  const { code, output } = npm?.endsWith("npm-cli.js")
    ? await runProgram(process.execPath, [npm, ...args], { quiet: true, onSpawn: addPreparer })
    : await runProgram("npm", args, { quiet: true, onSpawn: addPreparer });
  if (code === 0) return;
  process.stderr.write(`${output.trim().split("\n").slice(-20).join("\n")}\n`);
  fail(
    "npm could not install the dependencies, for the reason above. When it is gone, run this command again.",
  );
}

/** True after a developer's own `npm install` of the same lock file: installing again would only take time. */
function isInstalled() {
  const wanted = readPackages("package-lock.json");
  const installed = readPackages("node_modules/.package-lock.json");
  return Object.entries(wanted).every(([path, { integrity, optional }]) => {
    const found = installed[path];
    return (
      path === "" ||
      (found ? found.integrity === integrity && existsSync(join(ROOT, path)) : optional === true)
    );
  });
}

/**
 * @param {string} file
 * @returns {Record<string, { integrity?: string, optional?: boolean }>}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), "utf8")).packages;
  } catch {
    return {};
  }
}

async function generateClient() {
  const { code, output } = await runTool("prisma/build/index.js", ["generate"], {
    quiet: true,
    onSpawn: addPreparer,
  });
  if (code !== 0)
    fail(`${output.trim()}\nPrisma could not make the database client from prisma/schema.prisma.`);
}

/** To WebAssembly, as text in a module: Node and Next's bundles load that alike. */
async function compileKernel() {
  const folder = join(KERNEL, "generated");
  const wasm = join(folder, "rows.wasm");
  mkdirSync(folder, { recursive: true });
  const options = [
    "--enable",
    "simd",
    "-O3",
    "--runtime",
    "stub",
    "--noAssert",
    "--importMemory",
    "--noExportMemory",
  ];
  const { code, output } = await runTool(
    "assemblyscript/bin/asc.js",
    [join(KERNEL, "rows.asm.ts"), "-o", wasm, ...options],
    { quiet: true, onSpawn: addPreparer },
  );
  if (code !== 0) fail(`${output.trim()}\nThe search kernel could not be compiled, for the reason above.`);
  const text = `export const rowsWasm = "${readFileSync(wasm).toString("base64")}";\n`;
  writeFileSync(join(folder, "rows-wasm.ts"), text);
}

async function buildPages() {
  process.stderr.write("Building pages …\n");
  const env = { ...process.env, NODE_ENV: /** @type {const} */ ("production"), NEXT_TELEMETRY_DISABLED: "1" };
  const { code, output } = await runTool("next/dist/bin/next", ["build"], {
    env,
    quiet: true,
    onSpawn: addPreparer,
  });
  if (code !== 0) fail(`${output.trim()}\nThe pages could not be built, for the reason above.`);
  await compressStatic(".next/static");
}

/**
 * Writes each script and style beside itself as Brotli, a seventh smaller than the gzip that would be made for each request.
 * @param {string} folder
 */
async function compressStatic(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  await Promise.all(
    files
      .filter((file) => /\.(js|css)$/.test(file))
      .map(async (file) => {
        const path = join(folder, file);
        writeFileSync(`${path}.br`, await promisify(brotliCompress)(readFileSync(path)));
      }),
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  requireNode();
  chdirToProject();
  await prepare({ build: process.argv.includes("--build") });
  if (process.argv.includes("--tests")) await compilePrograms(TEST_PROGRAMS, join(PROGRAMS, "tests"));
}
