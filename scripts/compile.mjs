// Programs in TypeScript become modules that Node runs as they are: they start sooner and need less memory than by a loader.
import { join } from "node:path";
import { ROOT } from "./project.mjs";

/**
 * @param {Record<string, string>} programs of each one's name, its source
 * @param {string} folder where they go, as `name.js`
 */
export async function compilePrograms(programs, folder) {
  // Not before the dependencies are installed.
  const esbuild = await import("esbuild");
  try {
    await esbuild.build(optionsFor(programs, folder));
  } finally {
    await esbuild.stop(); // its process would live as long as ours
  }
}

/**
 * @param {Record<string, string>} programs
 * @param {string} folder
 * @returns {import("esbuild").BuildOptions}
 */
function optionsFor(programs, folder) {
  return {
    absWorkingDir: ROOT,
    entryPoints: programs,
    outdir: join(ROOT, folder),
    chunkNames: "parts/[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  };
}
