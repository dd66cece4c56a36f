import type Docker from "dockerode";
import { z } from "zod";
import type { SelfTestFailure } from "@/lib/contract/agent-protocol";

/** Of `GET /info`; Docker and Podman leave out different fields. */
const engineInfo = z.object({
  OSType: z.string().nullish(),
  SecurityOptions: z.array(z.string()).nullish(),
  MemoryLimit: z.boolean().nullish(),
  PidsLimit: z.boolean().nullish(),
  CpuCfsQuota: z.boolean().nullish(),
  Runtimes: z.record(z.string(), z.unknown()).nullish(),
  CDISpecDirs: z.array(z.string()).nullish(),
});
export type EngineInfo = z.output<typeof engineInfo>;

/** Docker 19.03, the first that gives GPUs by `DeviceRequests`; Podman's API is newer. */
const LEAST_API = [1, 40] as const;
const TRIAL = "berth-self-test";
const MOST_TRIALS = 3;

/** Whether the engine answers, can make a container, and keeps containers apart. `info` is null where it does not answer. */
export async function testEngine(
  docker: Docker,
): Promise<{ info: EngineInfo | null; failures: SelfTestFailure[] }> {
  try {
    const info = engineInfo.parse(await docker.info());
    const { ApiVersion } = await docker.version();
    const refused = checkVersion(info, ApiVersion) ?? (await tryContainer(docker));
    const failures = refused === null ? [] : [cannotRun(refused)];
    return { info, failures: [...failures, ...checkIsolation(info)] };
  } catch (error) {
    const start = "start it (systemctl start docker), and see that this user may open its socket";
    return {
      info: null,
      failures: [cannotRun(`The container engine does not answer (${wordsOf(error)}): ${start}.`)],
    };
  }
}

function checkVersion(info: EngineInfo, apiVersion: string): string | null {
  if ((info.OSType ?? "linux") !== "linux")
    return `The container engine runs ${info.OSType} containers: switch it to Linux containers.`;
  const [major = 0, minor = 0] = apiVersion.split(".").map(Number);
  if (major > LEAST_API[0] || (major === LEAST_API[0] && minor >= LEAST_API[1])) return null;
  return `The container engine speaks version ${apiVersion} of Docker's API, but ${LEAST_API.join(".")} is needed: install Docker 19.03, Podman 4 or later.`;
}

/**
 * Makes a container and removes it, never started: that needs no program in the image. An engine that has no image yet
 * cannot be asked this way, and a broken image is not the engine's fault: one of the three smallest is enough.
 */
async function tryContainer(docker: Docker): Promise<string | null> {
  const images = (await docker.listImages()).filter((image) => image.RepoTags?.length);
  images.sort((a, b) => a.Size - b.Size);
  let refused: string | null = null;
  for (const image of images.slice(0, MOST_TRIALS)) {
    const removal = docker.getContainer(TRIAL);
    await removal.remove({ force: true }).catch(() => undefined);
    try {
      await docker.createContainer({
        name: TRIAL,
        Image: image.Id,
        Cmd: ["true"],
        HostConfig: { NetworkMode: "none", CapDrop: ["ALL"], SecurityOpt: ["no-new-privileges"] },
      });
      return null;
    } catch (error) {
      refused = `The container engine cannot make a container (${wordsOf(error)}): see its log (journalctl -u docker), and the space and rights of its folder.`;
    } finally {
      await removal.remove({ force: true }).catch(() => undefined);
    }
  }
  return refused;
}

/** What is not limited or filtered, a renter can take from the owner and from other renters. */
function checkIsolation(info: EngineInfo): SelfTestFailure[] {
  const options = info.SecurityOptions ?? [];
  const seccomp = options.find((option) => option.startsWith("name=seccomp"));
  const missing = [
    seccomp === undefined || seccomp.includes("unconfined") ? "filter system calls (seccomp)" : null,
    info.MemoryLimit === false ? "limit memory" : null,
    info.CpuCfsQuota === false ? "limit CPU time" : null,
    info.PidsLimit === false ? "limit processes" : null,
  ].filter((one) => one !== null);
  if (missing.length === 0) return [];
  return [
    {
      code: "engine_not_isolated",
      detail: `The container engine cannot ${missing.join(", ")}: turn on seccomp in the engine's settings, and the memory, cpu and pids controllers of cgroups in the kernel's, and run the engine as root.`,
    },
  ];
}

function cannotRun(detail: string): SelfTestFailure {
  return { code: "engine_cannot_run", detail };
}

function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 250);
}
