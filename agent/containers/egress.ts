import { spawn } from "node:child_process";
import { release } from "node:os";
import type Docker from "dockerode";
import type { Logger } from "pino";
import { oneLine } from "./engine-fault";

/** Of these addresses nobody on the internet is found; behind some of them are the owner's network and a cloud's metadata. */
const PRIVATE_V4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3";
/** With those that carry an IPv4 address in them: mapped, NAT64, Teredo, 6to4. */
const PRIVATE_V6 =
  "::/127 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/32 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8";

/**
 * One table for all agents of a machine, and all their containers by the beginning of their bridges' names. Its chains
 * come before the engine's own, and a drop there is final. Ports that are opened to the outside go on answering: those
 * connections begin elsewhere. `add` before `delete` makes a load the same whether the table is there or not, in one transaction.
 */
const RULES = `add table inet berth
delete table inet berth
table inet berth {
  set private4 { type ipv4_addr; flags interval; elements = { ${PRIVATE_V4.split(" ").join(", ")} } }
  set private6 { type ipv6_addr; flags interval; elements = { ${PRIVATE_V6.split(" ").join(", ")} } }
  chain input {
    type filter hook input priority -10; policy accept;
    iifname "bth-*" ct state established,related accept
    iifname "bth-*" drop
  }
  chain forward {
    type filter hook forward priority -10; policy accept;
    iifname "bth-*" ct state established,related accept
    iifname "bth-*" oifname "bth-*" drop
    iifname "bth-*" ip daddr @private4 drop
    iifname "bth-*" ip6 daddr @private6 drop
  }
}
`;

/** Whether containers are kept from private addresses, the machine and each other; with a reason where not. */
type Egress = { guarded: true } | { guarded: false; reason: string };

/** The table as nft writes it back after a load by this process. */
let loaded: string | null = null;

/**
 * Guards containers' egress where it can be: the rules are loaded where they are not there as written. May be called at
 * any time, by several processes; changes nothing where nothing is missing.
 */
export async function setUpEgress({ docker, log }: { docker: Docker; log: Logger }): Promise<Egress> {
  const reason = (await findObstacle(docker)) ?? (await restoreRules(log));
  return reason === null ? { guarded: true } : { guarded: false, reason };
}

/**
 * Loads the rules where they are not there as they were loaded.
 * @returns null, or why they cannot be had
 */
export async function restoreRules(log: Logger): Promise<string | null> {
  const there = await nft(["list", "table", "inet", "berth"]);
  if (loaded !== null && there.code === 0 && there.output === loaded) return null;
  const load = await nft(["-f", "-"], RULES);
  if (load.code === null) {
    return "The program nft is missing, which keeps containers from private addresses: install nftables.";
  }
  if (load.code !== 0) return `The kernel does not take the egress rules (nft: ${oneLine(load.output)}).`;
  if (loaded !== null) log.warn("the egress rules had been changed and are restored");
  const now = await nft(["list", "table", "inet", "berth"]);
  loaded = now.code === 0 ? now.output : null;
  return null;
}

/** Rules of this machine only hold for containers whose bridges are on it. */
async function findObstacle(docker: Docker): Promise<string | null> {
  if (process.platform !== "linux") {
    return "Containers can only be kept from private addresses on Linux: run the agent on the Linux machine that runs them.";
  }
  if (process.getuid?.() !== 0) return "Egress rules need root: run the agent as root (sudo).";
  const info: unknown = await docker.info().catch(() => null);
  if (typeof info !== "object" || info === null) return "The container engine does not answer: start it.";
  if ("SecurityOptions" in info && JSON.stringify(info.SecurityOptions).includes("name=rootless")) {
    return "The container engine runs without root, so its networks are out of reach: use the system's engine.";
  }
  if ("KernelVersion" in info && info.KernelVersion !== release()) {
    return "The container engine runs on another machine than the agent: run the agent beside it.";
  }
  return null;
}

/** `code` is null where there is no such program. */
function nft(args: string[], input = ""): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn("nft", args, { timeout: 10_000, killSignal: "SIGKILL" });
    let output = "";
    const take = (chunk: Buffer) => {
      output += chunk.toString("utf8");
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.stdin.on("error", () => undefined); // ended before it has read all: its exit code says why
    child.once("error", () => resolve({ code: null, output }));
    child.once("close", (code) => resolve({ code: code ?? -1, output }));
    child.stdin.end(input);
  });
}
