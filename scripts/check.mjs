// `npm run check`: what needs no database. Run alone or as the first part of `npm test`.
import { pathToFileURL } from "node:url";
import { prepare } from "./prepare.mjs";
import { chdirToProject, requireNode, runProgram, runTool, timeStep, writeStamp } from "./project.mjs";

const OPENAPI = ".stamps/openapi.json";

/** @type {{ name: string, run: () => Promise<{ code: number }> }[]} */
const checks = [
  {
    name: "format and layers",
    run: () => runTool("@biomejs/biome/bin/biome", ["check", "--error-on-warnings"]),
  },
  { name: "types", run: () => runTool("typescript/bin/tsc", ["--noEmit", "-p", "."]) },
  { name: "dead code", run: () => runTool("knip/bin/knip.js", ["--no-progress"]) },
  { name: "OpenAPI document", run: lintContract },
];

/** Runs every check, also after one that failed, and returns the names of those that failed. */
export async function runChecks() {
  /** @type {string[]} */
  const failed = [];
  for (const { name, run } of checks) {
    await timeStep(name, async () => {
      if ((await run()).code !== 0) failed.push(name);
    });
  }
  return failed;
}

async function lintContract() {
  const written = await runProgram(process.execPath, ["--import", "tsx", "scripts/write-openapi.ts"], {
    quiet: true,
  });
  if (written.code !== 0) {
    process.stderr.write(written.output);
    return written;
  }
  writeStamp(OPENAPI, written.stdout);
  return runTool("@redocly/cli/bin/cli.js", ["lint", OPENAPI], {
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  requireNode();
  chdirToProject();
  await prepare();
  const failed = await runChecks();
  if (failed.length > 0) process.stderr.write(`Failed: ${failed.join(", ")}.\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
