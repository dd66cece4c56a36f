// `npm test`: everything, on a fresh clone too. Its last line is `N passed, N failed`.
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runChecks } from "./check.mjs";
import { prepare } from "./prepare.mjs";
import { chdirToProject, ROOT, removeStamp, requireNode, runTool, timeStep } from "./project.mjs";

const VITEST_REPORT = ".stamps/vitest.json";
const BROWSER_REPORT = ".stamps/playwright.json";
const BROWSER = "/usr/bin/chromium";

requireNode();
chdirToProject();
const hasBrowserTests = existsSync(join(ROOT, "tests/e2e"));
nameWhatIsMissing();
await prepare({ build: hasBrowserTests });

const failedChecks = await runChecks();
const counts = [{ passed: 0, failed: failedChecks.length }];
await timeStep("tests", async () => {
  counts.push(await runVitest());
});
if (hasBrowserTests) {
  await timeStep("browser tests", async () => {
    counts.push(await runBrowserTests());
  });
}
if (failedChecks.length > 0) process.stdout.write(`Failed checks: ${failedChecks.join(", ")}.\n`);
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** System programs are the one thing that npm cannot install; the tests that need one fail without it. */
function nameWhatIsMissing() {
  const needed = [
    { program: "ssh-keygen", debian: "openssh-client" },
    { program: "curl", debian: "curl" },
  ];
  if (process.getuid?.() === 0 && process.platform === "linux") {
    needed.push({ program: "unshare", debian: "util-linux" });
  }
  // Without these the tests on real containers are skipped; in CI they fail.
  if (process.platform === "linux") {
    needed.push(
      { program: "podman", debian: "podman runc netavark" },
      { program: "nft", debian: "nftables iptables" },
      { program: "busybox", debian: "busybox-static" },
      { program: "docker-registry", debian: "docker-registry" },
    );
  }
  if (hasBrowserTests) needed.push({ program: BROWSER, debian: "chromium" });
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const { program, debian } of needed) {
    const places = program.startsWith("/") ? [program] : folders.map((folder) => join(folder, program));
    if (places.some((place) => existsSync(place))) continue;
    process.stderr.write(
      `Missing and not installed by npm: ${program}. On Debian: apt-get install ${debian}\n`,
    );
  }
}

async function runVitest() {
  removeStamp(VITEST_REPORT);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${VITEST_REPORT}`];
  const { code } = await runTool("vitest/vitest.mjs", ["run", ...reporters]);
  const report = readReport(VITEST_REPORT);
  return atLeastOneFailed(code, report?.numPassedTests ?? 0, report?.numFailedTests ?? 0);
}

async function runBrowserTests() {
  removeStamp(BROWSER_REPORT);
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: BROWSER_REPORT };
  const { code } = await runTool("playwright/cli.js", ["test", "--reporter=list,json"], { env });
  const stats = readReport(BROWSER_REPORT)?.stats;
  return atLeastOneFailed(code, (stats?.expected ?? 0) + (stats?.flaky ?? 0), stats?.unexpected ?? 0);
}

/**
 * A run may fail without a failed test: a file that does not load, an error outside every test.
 * @param {number} code
 * @param {number} passed
 * @param {number} failed
 */
function atLeastOneFailed(code, passed, failed) {
  return { passed, failed: code === 0 ? failed : Math.max(1, failed) };
}

/**
 * @param {string} file
 * @returns {{ numPassedTests?: number, numFailedTests?: number, stats?: { expected: number, unexpected: number, flaky: number } } | null}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), "utf8"));
  } catch {
    return null;
  }
}
