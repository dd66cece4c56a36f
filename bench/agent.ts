// `npm run bench:agent`: how long instances on one agent take from rent to running, one at a time and 30 at once, beside the
// bare engine's own create and start. Needs Linux, root and Podman; bounded in count and time, and leaves nothing running.
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { closeDatabase } from "../lib/db/client";
import { acquireDatabase } from "../lib/db/embedded";
import { migrate } from "../lib/db/migrator";
import { startTestEngine, TEST_IMAGE, whyNoEngine } from "../tests/support/test-engine";
import { countLeases, listRentable, makePeople, startProgram } from "./market";

const SLOTS = 30;
const RUNS = [
  { atOnce: 1, rounds: 10 },
  { atOnce: SLOTS, rounds: 3 },
];
const LOOK_EVERY_MS = 20;
const LONGEST_MS = 120_000;
const FIRST_PORT = 31_000;

type Call = (method: string, path: string, body?: object) => Promise<Answer[]>;
type Answer = { id: string; status: string; message: string | null };

/** The engine alone: created and started, all at once, each timed from the common beginning. */
async function measureEngine(docker: Docker, atOnce: number, hasOwnNetwork: boolean): Promise<number[]> {
  const began = performance.now();
  const started = await Promise.all(
    Array.from({ length: atOnce }, async (_, i) => {
      const network = hasOwnNetwork ? await docker.createNetwork({ Name: `bench-${i}` }) : null;
      const HostConfig = network ? { NetworkMode: `bench-${i}` } : {};
      const container = await docker.createContainer({ Image: TEST_IMAGE, HostConfig });
      await container.start();
      return { container, network, ms: performance.now() - began };
    }),
  );
  await Promise.all(started.map(({ container }) => container.remove({ force: true })));
  for (const { network } of started) await network?.remove();
  return started.map(({ ms }) => ms);
}

/** From the rent's request until the API says running; then until every offer is free again. */
async function measureMarket(
  call: Call,
  templateId: string,
  atOnce: number,
): Promise<{ running: number[]; free: number }> {
  const offers = (await listRentable()).slice(0, atOnce);
  const began = performance.now();
  const running = new Map<string, number>();
  const body = (offer_id: string) => ({ offer_id, template_id: templateId, disk_gb: 1 });
  const rents = offers.map((offer) => call("POST", "/v0/instances/create", body(offer)));
  const ids = (await Promise.all(rents)).flatMap((rented) => rented.map(({ id }) => id));
  await until(`all ${ids.length} run`, async () => {
    for (const { id, status, message } of await call("GET", "/v0/instances")) {
      if (status === "error") throw new Error(message ?? status);
      if (status === "running" && !running.has(id)) running.set(id, performance.now() - began);
    }
    return running.size === ids.length;
  });
  const destroyed = performance.now();
  await Promise.all(ids.map((id) => call("DELETE", `/v0/instances/${id}`)));
  await until("every offer is free", async () => (await countLeases()) === 0);
  return { running: [...running.values()], free: performance.now() - destroyed };
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`not within ${LONGEST_MS} ms: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}

function at(part: number, ms: number[]): number {
  const sorted = ms.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

interface Found {
  atOnce: number;
  engine: number[];
  networked: number[];
  market: number[];
  free: number[];
}

function print({ atOnce, engine, networked, market, free }: Found): void {
  const line = (name: string, ms: number[]) =>
    `${name.padEnd(34)} ${at(0.5, ms).toFixed(0).padStart(8)} ${at(0.95, ms).toFixed(0).padStart(8)}`;
  const ratio = (beside: number[]) => {
    const of = (part: number) => (at(part, market) / at(part, beside)).toFixed(2).padStart(8);
    return `${of(0.5)} ${of(0.95)}`;
  };
  process.stdout.write(
    `${[
      `${atOnce} at once, ${free.length} rounds, ${cpus().length} cores, Node ${process.version}`,
      `${"milliseconds".padEnd(34)} ${"p50".padStart(8)} ${"p95".padStart(8)}`,
      line("bare engine: create and start", engine),
      line("the same, each in its own network", networked),
      line("Berth: rent to running", market),
      `${"ratio to the bare engine".padEnd(34)} ${ratio(engine)}`,
      `${"ratio to it with networks".padEnd(34)} ${ratio(networked)}`,
      line("Berth: destroy to all offers free", free),
    ].join("\n")}\n\n`,
  );
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "berth-bench-"));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const engine = await startTestEngine();
    stops.push(() => engine.remove());
    const database = await acquireDatabase(folder, { durable: false });
    stops.push(() => database.release());
    await migrate(database.url);
    process.env.DATABASE_URL = database.url;
    stops.push(closeDatabase);
    const settings = { DATABASE_URL: database.url, DATA_DIR: folder, PORT: "0", METRICS_PORT: "0" };
    const server = await startProgram(
      "tests/support/run-server.ts",
      { ...settings, ALLOW_CPU_HOSTS: "1", RATE_LIMIT: "off", ENCRYPTION_KEY: "0123456789abcdef".repeat(4) },
      /^ready +(http\S+)$/m,
    );
    stops.push(server.stop);
    const { key, token } = await makePeople();
    const agent = await startProgram(
      ".programs/agent.js",
      {
        BERTH_SERVER: server.match,
        BERTH_HOST_TOKEN: token,
        BERTH_ENGINE: `unix://${engine.socket}`,
        BERTH_AGENT_DATA_DIR: join(folder, "agent"),
        BERTH_ADDRESS: "127.0.0.1",
        BERTH_BIND: "127.0.0.1",
        BERTH_PRIVATE_IMAGES: "1",
        BERTH_PORTS: `${FIRST_PORT}-${FIRST_PORT + 299}`,
        BERTH_PRICE: "0.01",
        BERTH_SPLIT: String(SLOTS),
      },
      /^on the market.*$/m,
    );
    stops.push(agent.stop);
    const call: Call = async (method, path, body) => {
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const answer = await fetch(server.match + path, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const { data, detail } = await answer.json();
      if (answer.status !== 200)
        throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(detail)}`);
      return [data].flat();
    };
    const [image = "", image_tag = ""] = TEST_IMAGE.split(":");
    const [template] = await call("POST", "/v0/templates/create", {
      name: "bench",
      image,
      image_tag,
      use_ssh: true,
    });
    const docker = new Docker({ socketPath: engine.socket });
    for (const { atOnce, rounds } of RUNS) {
      const found: Found = { atOnce, engine: [], networked: [], market: [], free: [] };
      for (let round = 0; round < rounds; round += 1) {
        found.engine.push(...(await measureEngine(docker, atOnce, false)));
        found.networked.push(...(await measureEngine(docker, atOnce, true)));
        const { running, free } = await measureMarket(call, template?.id ?? "", atOnce);
        found.market.push(...running);
        found.free.push(free);
      }
      print(found);
    }
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

if (whyNoEngine === null) await main();
else {
  process.stderr.write(`bench:agent needs a container engine of its own: ${whyNoEngine}.\n`);
  process.exitCode = 1;
}
