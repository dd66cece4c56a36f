import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostConfig } from "dockerode";
import type { Machine, MachineGpu } from "../../lib/contract/agent-protocol";
import { Refused } from "./work-place";

const CARDS = "/sys/class/drm";

/** The GPUs of one slot: slots are equal, and in the order in which the driver counts. */
export function gpusOf({ gpus }: Machine, slots: number, slot: number): MachineGpu[] {
  const perSlot = Math.floor(gpus.length / slots);
  return gpus.slice(slot * perSlot, (slot + 1) * perSlot);
}

/**
 * How a container gets its slot's GPUs and no other.
 * @throws Refused where a card is on the machine no more
 */
export function giveGpus(gpus: MachineGpu[], isWholeMachine: boolean): HostConfig {
  const nvidia = gpus.filter(({ vendor }) => vendor === "NVIDIA").map(({ uuid }) => uuid);
  const amd = gpus.filter(({ vendor }) => vendor === "AMD").map(({ uuid }) => uuid);
  return {
    ...(nvidia.length > 0
      ? {
          DeviceRequests: [{ Driver: "", Count: 0, DeviceIDs: nvidia, Capabilities: [["gpu"]], Options: {} }],
        }
      : {}),
    ...(amd.length > 0 ? { Devices: amdDevices(amd, isWholeMachine) } : {}),
  };
}

/**
 * Where NVIDIA's runtime is the engine's default, this variable alone gives GPUs, and many images say "all": so it is said
 * here, last.
 */
export function sayGpus(env: string[], machine: Machine, given: MachineGpu[]): string[] {
  if (!machine.gpus.some(({ vendor }) => vendor === "NVIDIA")) return env;
  const name = "NVIDIA_VISIBLE_DEVICES=";
  const own = env.filter((one) => !one.startsWith(name));
  return [...own, `${name}${given.map(({ uuid }) => uuid).join(",") || "void"}`];
}

/** ROCm has one door for all computing, and one for each card. */
function amdDevices(uuids: string[], isWholeMachine: boolean): HostConfig["Devices"] {
  const cards = isWholeMachine ? ["/dev/dri"] : uuids.map(findCard);
  return ["/dev/kfd", ...cards].map((path) => ({
    PathOnHost: path,
    PathInContainer: path,
    CgroupPermissions: "rw",
  }));
}

/** The card's device file, by the id that its driver writes in hexadecimal digits. */
function findCard(uuid: string): string {
  const found = readdirSync(CARDS)
    .filter((name) => name.startsWith("renderD"))
    .find((name) => `0x${readId(name)}`.toLowerCase() === uuid.toLowerCase());
  if (!found) throw new Refused(`The GPU ${uuid} is not on the machine any more.`);
  return `/dev/dri/${found}`;
}

function readId(name: string): string {
  try {
    return readFileSync(join(CARDS, name, "device/unique_id"), "utf8").trim();
  } catch {
    return ""; // not of that driver
  }
}
