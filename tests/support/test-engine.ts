import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { waitUntil } from "./wait-until";

const run = promisify(execFile);

/** Made from Debian's static busybox: a shell and the usual small programs, `sleep 1000` as its command. */
export const TEST_IMAGE = "localhost/berth-test:latest";

const APPLETS = [
  ..."sh ash sleep cat echo printf ls nc httpd wget kill ps sha256sum env dd head tail seq stty id hostname ip".split(
    " ",
  ),
  ..."ping touch rm mkdir stat xargs mv cp ln chmod chown readlink rmdir true false test date tty grep sed find".split(
    " ",
  ),
  ..."sort wc tr cut truncate mkfifo nproc df mount top".split(" "),
];

/** A container engine of a test's own: Podman with its own storage and networks, on a socket as Docker's. */
export interface TestEngine {
  socket: string;
  /** Runs the podman command on the same storage; its standard output. */
  podman(...args: string[]): Promise<string>;
  /** Ends the service with -9, as if the engine went away; its containers go on. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Removes every container and network of it, and its storage. */
  remove(): Promise<void>;
}

const missing = ["podman", "runc", "busybox", "nft"].filter(
  (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0,
);
/** Why no engine can be had here; null: one can. */
export const whyNoEngine =
  process.platform !== "linux" || process.getuid?.() !== 0
    ? "they need Linux and root"
    : missing.length > 0
      ? `these programs are missing: ${missing.join(", ")} (.ci/run installs them)`
      : null;
/** Starts an engine that has TEST_IMAGE and nothing else. */
export async function startTestEngine(): Promise<TestEngine> {
  const folder = await mkdtemp(join(tmpdir(), "berth-engine-"));
  const env = await configure(folder);
  const socket = join(folder, "engine.sock");
  const podman = async (...args: string[]) => {
    const { stdout } = await run("podman", args, { env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  };
  await importImage(folder, podman);
  let service: ChildProcess | undefined;
  const stop = async () => {
    const running = service;
    service = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await ended;
  };
  const engine: TestEngine = {
    socket,
    podman,
    stop,
    async start() {
      await rm(socket, { force: true });
      service = spawn("podman", ["system", "service", "--time=0", `unix://${socket}`], {
        env,
        cwd: folder, // conmon leaves files where it stands
        stdio: "ignore",
      });
      await waitUntil("the engine answers", () => answers(socket));
    },
    async remove() {
      await podman("rm", "--force", "--all", "--time", "0", "--volumes").catch(() => undefined);
      await podman("network", "prune", "--force").catch(() => undefined);
      await stop();
      // What cleans up after a container's end may still be writing there.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  await engine.start();
  return engine;
}

/** Nothing of it is shared with another engine; limits as small as the machine that builds this allows. */
async function configure(folder: string): Promise<NodeJS.ProcessEnv> {
  const networks = join(folder, "networks");
  await mkdir(networks);
  await writeFile(
    join(folder, "containers.conf"),
    `[containers]
default_ulimits=["nofile=1024:1024","nproc=1024:1024"]
[engine]
runtime="runc"
cgroup_manager="cgroupfs"
events_logger="file"
[network]
network_backend="netavark"
network_config_dir="${networks}"
# Engines side by side would else give out the same addresses.
default_subnet_pools=[{"base"="10.${64 + Math.floor(Math.random() * 180)}.0.0/16","size"=24}]
`,
  );
  await writeFile(
    join(folder, "storage.conf"),
    `[storage]\ndriver="vfs"\ngraphroot="${folder}/store"\nrunroot="${folder}/run"\n`,
  );
  await writeFile(
    join(folder, "registries.conf"),
    '[[registry]]\nlocation="127.0.0.1"\ninsecure=true\n[[registry]]\nlocation="localhost"\ninsecure=true\n',
  );
  return {
    ...process.env,
    CONTAINERS_CONF: join(folder, "containers.conf"),
    CONTAINERS_STORAGE_CONF: join(folder, "storage.conf"),
    CONTAINERS_REGISTRIES_CONF: join(folder, "registries.conf"),
  };
}

async function importImage(folder: string, podman: TestEngine["podman"]): Promise<void> {
  const root = join(folder, "image");
  const script = `
    mkdir -p "$1/bin" "$1/etc" "$1/root" "$1/tmp" && cp "$(command -v busybox)" "$1/bin/busybox" && shift_root="$1" && shift
    for applet in "$@"; do ln -s busybox "$shift_root/bin/$applet"; done
    echo 'root:x:0:0:root:/root:/bin/sh' > "$shift_root/etc/passwd"
    echo 'root:x:0:' > "$shift_root/etc/group"
    chmod 1777 "$shift_root/tmp"
    tar -C "$shift_root" -cf "$shift_root.tar" .`;
  await run("sh", ["-ec", script, "image", root, ...APPLETS]);
  await podman(
    "import",
    "--change",
    'CMD ["sleep","1000"]',
    "--change",
    "ENV PATH=/bin:/usr/bin",
    `${root}.tar`,
    TEST_IMAGE,
  );
  await rm(root, { recursive: true });
  await rm(`${root}.tar`);
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(socket);
    client.once("connect", () => client.destroy());
    client.once("connect", () => resolve(true));
    client.once("error", () => resolve(false));
  });
}
