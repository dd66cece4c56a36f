import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "../../..");
const LAYER_RULES = /noRestrictedImports|noProcessEnv|noImportCycles/;

const importing = (from: string) => `import { x } from "${from}";\nconsole.log(x);\n`;
const readsEnvironment = "console.log(process.env.X);\n";

/** What nobody may write, by the place that it would stand in. */
const forbidden: [place: string, text: string][] = [
  ["lib/contract", importing("../market/presenter")],
  ["lib/contract", importing("@/lib/http/route")],
  ["lib/contract", importing("node:fs")],
  ["lib/kernel", importing("../db/client")],
  ["lib/kernel", importing("../env")],
  ["lib/kernel", importing("pg")],
  ["lib/db", importing("../market/presenter")],
  ["lib/db", importing("next/server")],
  ["lib/market", importing("../http/route")],
  ["lib/market", importing("react")],
  ["lib/market", importing("next/headers")],
  ["lib/market", importing("@prisma/client")],
  ["lib/market", importing("../db/generated/client")],
  ["lib/market", importing("../../components/market/offer-table")],
  ["lib/market", importing("../client/call-operation")],
  ["lib/market", importing("../instances/rent-offer")],
  ["lib/secrets", importing("@/lib/instances/rent-offer")],
  ["lib/events", importing("../instances/move-instance")],
  ["lib/events", importing("../http/watch-caller")],
  ["lib/hosts", importing("../agents/join-agent")],
  ["lib/hosts", importing("@/lib/agents/join-agent")],
  ["lib/instances", importing("../agents/take-report")],
  ["lib/agents", importing("../worker/start-worker")],
  ["lib/agents", importing("../http/route")],
  ["lib/agents", importing("../../agent/join-market")],
  ["agent", importing("../lib/db/client")],
  ["agent/containers", importing("../../lib/agents/join-agent")],
  ["agent", importing("@/lib/hosts/hear-host")],
  ["agent/probe", readsEnvironment],
  ["lib/streams", importing("../telemetry/list-logs")],
  ["lib/telemetry", importing("../instances/move-instance")],
  ["lib/telemetry", importing("../http/watch-caller")],
  ["lib/secrets", importing("../streams/follow-rows")],
  ["lib/instances", importing("../events/follow-events")],
  ["lib/instances", importing("../telemetry/record-telemetry")],
  ["lib/instances", importing("../worker/start-worker")],
  ["lib/instances", importing("../hosts/list-hosts")],
  ["lib/http", importing("../instances/rent-offer")],
  ["lib/http", importing("@/components/market/offer-table")],
  ["lib/client", importing("../market/presenter")],
  ["lib/client", importing("../env")],
  ["components/market", importing("@/lib/db/client")],
  ["components/market", importing("../../lib/market/search-offers")],
  ["components/market", importing("@/lib/accounts/auth")],
  ["components/market", importing("@/app/page")],
  ["app", importing("@/lib/db/client")],
  ["app/v0/ping", importing("../../../lib/db/client")],
  ["cli", importing("@prisma/client")],
  ["lib", importing("next")],
  ["lib/market", readsEnvironment],
  ["lib/http/node", readsEnvironment],
  ["app", readsEnvironment],
  ["cli", readsEnvironment],
];

/** What the same rules must let through. */
const allowed: [place: string, text: string][] = [
  ["lib/instances", importing("../market/offer-view")],
  ["lib/hosts", importing("../market/offer-view")],
  ["lib/agents", importing("../hosts/hear-host")],
  ["lib/agents", importing("../telemetry/record-telemetry")],
  ["lib/worker", importing("../agents/reach-agents")],
  ["agent", importing("../lib/contract/agent-protocol")],
  ["agent/gateway", importing("../../lib/kernel/ssh-fingerprint")],
  ["lib/worker", importing("../instances/move-instance")],
  ["lib/worker", importing("../telemetry/forget-old-telemetry")],
  ["lib/worker", importing("../market/record-prices")],
  ["lib/telemetry", importing("../streams/follow-rows")],
  ["lib/events", importing("../streams/follow-rows")],
  ["lib/http", importing("../accounts/caller")],
  ["components/market", importing("@/lib/client/market-queries")],
  ["app/v0/market", importing("@/lib/market/search-offers")],
  ["tests", readsEnvironment],
];

const report = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-layers-"));
  const settings = JSON.parse(await readFile(join(root, "biome.json"), "utf8"));
  await writeFile(join(folder, "biome.json"), JSON.stringify({ ...settings, vcs: { enabled: false } }));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Which of the probes the lint finds fault with, by its layer rules. */
async function lint(probes: [place: string, text: string][]): Promise<boolean[]> {
  const files = probes.map(([place], index) => `${place}/probe-${index}.ts`);
  for (const [index, file] of files.entries()) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), probes[index]?.[1] ?? "");
  }
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--reporter=json", "--max-diagnostics=none", ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    (error) => error,
  );
  const found = report
    .parse(JSON.parse(stdout))
    .diagnostics.filter(({ category }) => LAYER_RULES.test(category))
    .map(({ location }) => location.path);
  return files.map((file) => found.some((path) => path.endsWith(file)));
}

it("LAY-01 finds every import and reading of the environment that crosses a layer, and no other", async () => {
  const bites = await lint(forbidden);
  expect(forbidden.filter((_, index) => !bites[index])).toEqual([]);
  const spares = await lint(allowed);
  expect(allowed.filter((_, index) => spares[index])).toEqual([]);
});
