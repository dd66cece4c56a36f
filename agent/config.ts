import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { StartError } from "./start-error";

/** What an owner says of their machine. */
export interface AgentConfig {
  server: string;
  /** What the market is known by, whatever its address: usually that. */
  market: string;
  token: string | null;
  dataDir: string;
  /** USD an hour, and a GB and month; of each part where the machine is split. */
  price: number | null;
  diskPrice: number | null;
  address: string | null;
  bind: string;
  ports: { first: number; last: number };
  engine: string | null;
  split: number;
  egress: "guarded" | "open";
  dns: string[];
  /** Renters may have images of this machine itself and of registries in its private network. */
  privateImages: boolean;
  place: { city: string | null; country: string | null; region: string | null };
  logLevel: string;
  /** Where this person's own container engines have their sockets. */
  runtimeDir: string | undefined;
  /** End when standard input does: whoever started the agent holds the other end. */
  stopsWithParent: boolean;
}

interface Flags {
  server?: string;
  tokenFile?: string;
  dataDir?: string;
  price?: number;
  diskPrice?: number;
  address?: string;
  bind: string;
  ports: { first: number; last: number };
  engine?: string;
  split: number;
  egress: "guarded" | "open";
  dns: string[];
  privateImages: boolean;
  city?: string;
  country?: string;
  region?: string;
  config?: string;
  logLevel: string;
}

const LEAST_PORTS = 10;
const TOKEN_SEEN =
  "A host token is never an argument: every user of a machine can read those. Give it as BERTH_HOST_TOKEN, or --token-file (- is standard input), and better a new one: this one stands in the shell's history.";

/**
 * Reads flags, then the environment, then the file: the first that says something wins. A token is never a flag, because
 * every user of a machine can read a process's arguments.
 * @throws StartError, commander's CommanderError
 */
export function readConfig(argv: string[]): AgentConfig {
  if (argv.some((word) => /^--token(=|$)|ht-[0-9A-Za-z]{4}/.test(word))) throw new StartError(TOKEN_SEEN);
  loadFile(argv);
  const flags = makeCommand().parse(argv, { from: "user" }).opts<Flags>();
  if (!flags.server) {
    throw new StartError("Say which market to join: --server https://gpu.example.com (or BERTH_SERVER).");
  }
  return {
    server: flags.server,
    market: process.env.BERTH_MARKET ?? flags.server,
    token: readToken(flags.tokenFile),
    dataDir: resolve(flags.dataDir ?? defaultDataDir()),
    price: flags.price ?? null,
    diskPrice: flags.diskPrice ?? null,
    address: flags.address ?? null,
    bind: flags.bind,
    ports: flags.ports,
    engine: flags.engine ?? null,
    split: flags.split,
    egress: flags.egress,
    dns: flags.dns,
    privateImages: flags.privateImages,
    place: { city: flags.city ?? null, country: flags.country ?? null, region: flags.region ?? null },
    logLevel: flags.logLevel,
    runtimeDir: process.env.XDG_RUNTIME_DIR,
    stopsWithParent: process.env.BERTH_STOP_WITH_PARENT === "1",
  };
}

function makeCommand(): Command {
  const option = (flags: string, description: string, name: string) =>
    new Option(flags, description).env(name);
  return new Command("agent")
    .description("Offers this machine on a Berth market: runs renters' containers and lets them in by SSH.")
    .exitOverride()
    .showHelpAfterError("(--help shows what there is)")
    .addOption(option("--server <url>", "the market", "BERTH_SERVER").argParser(parseServer))
    .option("--token-file <file>", "the host token's file, - for standard input; or BERTH_HOST_TOKEN")
    .addOption(option("--price <usd>", "an hour, until another is set", "BERTH_PRICE").argParser(parseUsd))
    .addOption(
      option("--disk-price <usd>", "a GB of disk and month", "BERTH_DISK_PRICE").argParser(parseUsdOrFree),
    )
    .addOption(
      option(
        "--address <address>",
        "where renters reach this machine; absent: as the market sees it",
        "BERTH_ADDRESS",
      ),
    )
    .addOption(option("--bind <address>", "where ports are opened", "BERTH_BIND").default("0.0.0.0"))
    .addOption(
      option("--ports <first-last>", "what may be opened; the first is the agent's own", "BERTH_PORTS")
        .default({ first: 10_000, last: 15_000 }, "10000-15000")
        .argParser(parsePorts),
    )
    .addOption(option("--engine <url>", "unix:///… or tcp://…; absent: Docker's or Podman's", "BERTH_ENGINE"))
    .addOption(
      option("--split <parts>", "offers of equal size that the machine is split into", "BERTH_SPLIT")
        .default(1)
        .argParser(parseSplit),
    )
    .addOption(
      option("--egress <rule>", "guarded: containers reach no private address", "BERTH_EGRESS")
        .choices(["guarded", "open"])
        .default("guarded"),
    )
    .addOption(
      option("--dns <addresses>", "name servers of containers, with commas", "BERTH_DNS")
        .default(["1.1.1.1", "9.9.9.9"])
        .argParser((text) => text.split(",").map((one) => one.trim())),
    )
    .addOption(
      option(
        "--private-images",
        "renters may have images of this machine and of registries in its private network",
        "BERTH_PRIVATE_IMAGES",
      ).default(false),
    )
    .addOption(option("--city <name>", "where the machine stands", "BERTH_CITY"))
    .addOption(option("--country <name>", "where the machine stands", "BERTH_COUNTRY"))
    .addOption(option("--region <name>", "where the machine stands", "BERTH_REGION"))
    .addOption(option("--data-dir <folder>", "what the agent keeps", "BERTH_AGENT_DATA_DIR"))
    .option("--config <file>", "settings as NAME=value lines; absent: agent.env in the data folder")
    .addOption(
      option("--log-level <level>", "", "LOG_LEVEL")
        .choices(["debug", "info", "warn", "error"])
        .default("info"),
    );
}

/** Only what the environment does not say already. */
function loadFile(argv: string[]): void {
  const named = flagOf(argv, "--config");
  const file = named ?? join(flagOf(argv, "--data-dir") ?? defaultDataDir(), "agent.env");
  if (existsSync(file)) process.loadEnvFile(file);
  else if (named) throw new StartError(`There is no file ${named}.`);
}

function flagOf(argv: string[], flag: string): string | undefined {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = argv[at];
  return word === flag ? argv[at + 1] : word?.slice(flag.length + 1);
}

function defaultDataDir(): string {
  const named = process.env.BERTH_AGENT_DATA_DIR;
  if (named) return named;
  return process.getuid?.() === 0 && process.platform === "linux"
    ? "/var/lib/berth-agent"
    : join(homedir(), ".berth-agent");
}

function readToken(file: string | undefined): string | null {
  const text =
    file === undefined ? process.env.BERTH_HOST_TOKEN : readFileSync(file === "-" ? 0 : file, "utf8");
  delete process.env.BERTH_HOST_TOKEN; // no program that the agent starts sees it
  return text?.trim() || null;
}

function parseServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError("Use http:// or https:// and a host.");
  return url.origin;
}

function parseUsd(text: string): number {
  if (/^\d{1,5}(\.\d{1,6})?$/.test(text) && Number(text) > 0 && Number(text) <= 10_000) return Number(text);
  throw new InvalidArgumentError(
    "Use USD above 0 and at most 10000, with at most six decimals, such as 0.42.",
  );
}

function parseUsdOrFree(text: string): number {
  return Number(text) === 0 ? 0 : parseUsd(text);
}

function parsePorts(text: string): { first: number; last: number } {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  const ports = { first: Number(first), last: Number(last) };
  if (ports.first >= 1 && ports.last <= 65_535 && ports.last - ports.first + 1 >= LEAST_PORTS) return ports;
  throw new InvalidArgumentError(`Use a range of at least ${LEAST_PORTS} ports, such as 10000-15000.`);
}

function parseSplit(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 64) return Number(text);
  throw new InvalidArgumentError("Use a whole number from 1 to 64.");
}
