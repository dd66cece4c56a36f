import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { pino } from "pino";
import ssh2 from "ssh2";
import type { Door } from "@/agent/gateway/door";
import { Gateway } from "@/agent/gateway/gateway";
import { makeHostKey } from "@/agent/gateway/host-key";
import { startTestEngine, TEST_IMAGE, type TestEngine } from "../support/test-engine";

export interface Ended {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

/** A gateway in front of one real container, and OpenSSH clients that dial it. */
export interface GatewayWorld {
  engine: TestEngine;
  docker: Docker;
  gateway: Gateway;
  folder: string;
  port: number;
  door: Door;
  container: Docker.Container;
  /** The lines that the door lets in. */
  keys: string[];
  /** Which container the door leads to. */
  state: { container: { id: string; pid: number } | null };
  hostKey: { privateKey: string; fingerprint: string };
  logged: string[];
  makeKey(name: string, ...options: string[]): Promise<string>;
  /** Runs one of OpenSSH's clients with the options that every test wants. */
  client(
    program: "ssh" | "scp" | "sftp",
    args: string[],
    input?: Buffer | string,
    identity?: string,
  ): Promise<Ended>;
  ssh(command: string, input?: Buffer | string): Promise<Ended>;
  /** All that a client needs but its port and key. */
  options: string[];
  remove(): Promise<void>;
}

export async function startGatewayWorld(): Promise<GatewayWorld> {
  const folder = await mkdtemp(join(tmpdir(), "berth-gateway-"));
  await chmod(folder, 0o700);
  const hostKey = makeHostKey();
  const engine = await startTestEngine();
  const docker = new Docker({ socketPath: engine.socket });
  const { container, place } = await startContainer(docker, TEST_IMAGE).catch(async (error: unknown) => {
    await engine.remove();
    throw error;
  });
  const state: GatewayWorld["state"] = { container: place };
  const logged: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const gateway = new Gateway({ docker, hostKey: hostKey.privateKey, host: "127.0.0.1", folder, log });
  const port = await findPort();
  const keys: string[] = [];
  const door: Door = {
    instanceId: "inst_gateway",
    port,
    username: "root",
    container: () => state.container,
    keys: async () => [...keys],
  };
  await gateway.open(door);
  const makeKey = async (name: string, ...options: string[]) => {
    const path = join(folder, name);
    const kind = options.length > 0 ? options : ["-t", "ed25519"];
    await runProgram("ssh-keygen", ["-q", "-N", "", "-f", path, ...kind]);
    return (await readFile(`${path}.pub`, "utf8")).trim();
  };
  keys.push(await makeKey("id"));
  await writeFile(join(folder, "known_hosts"), `berth ${publicLineOf(hostKey.privateKey)}\n`);
  const options = clientOptions(folder);
  const client: GatewayWorld["client"] = (program, args, input, identity = "id") => {
    const where = [program === "ssh" ? "-p" : "-P", String(port), "-i", join(folder, identity)];
    return runProgram(program, [...options, ...where, ...args], input);
  };
  return {
    ...{ engine, docker, gateway, folder, port, door, container, keys, state, hostKey, logged, makeKey },
    ...{ client, options },
    ssh: (command, input) => client("ssh", ["root@127.0.0.1", command], input),
    async remove() {
      await gateway.stop();
      await engine.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function clientOptions(folder: string): string[] {
  const settings = {
    UserKnownHostsFile: join(folder, "known_hosts"),
    HostKeyAlias: "berth",
    StrictHostKeyChecking: "yes",
    IdentitiesOnly: "yes",
    BatchMode: "yes",
  };
  return [
    "-F",
    "/dev/null",
    ...Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]),
  ];
}

function publicLineOf(privateKey: string): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString("base64")}`;
}

/**
 * An image as Debian's are: this machine's own coreutils, with bash and dash, or dash alone; findutils' xargs only with bash.
 * @returns its name
 */
export async function makeGnuImage(
  engine: TestEngine,
  folder: string,
  shell: "bash" | "dash",
): Promise<string> {
  const root = join(folder, shell);
  const programs = `sh cat stat dd mkdir rmdir rm mv ln ls chmod chown touch readlink head sha256sum sleep id env wc stty ${
    shell === "bash" ? "bash xargs" : ""
  }`;
  const script = `
    root=$1; shift; mkdir -p "$root/bin" "$root/etc" "$root/root" "$root/tmp" "$root/home/me"
    for name in "$@"; do
      path=$(command -v "$name"); cp -L "$path" "$root/bin/$name"
      for library in $(ldd "$path" | grep -o '/[^ ]*'); do
        mkdir -p "$root$(dirname "$library")"; cp -Ln "$library" "$root$library"
      done
    done
    printf 'root:x:0:0:root:/root:/bin/sh\nme:x:1000:1000:me:/home/me:/bin/sh\n' >"$root/etc/passwd"
    printf 'root:x:0:\nme:x:1000:\n' >"$root/etc/group"
    echo 'PATH=/from/profile; export PATH' >"$root/etc/profile"
    chown 1000:1000 "$root/home/me"; tar -C "$root" -cf "$root.tar" .`;
  const made = await runProgram("sh", ["-ec", script, "sh", root, ...programs.trim().split(/\s+/)]);
  if (made.code !== 0) throw new Error(made.stderr);
  const name = `localhost/gnu-${shell}:latest`;
  await engine.podman("import", "--change", "ENV PATH=/bin", `${root}.tar`, name);
  return name;
}

export async function startContainer(docker: Docker, image: string) {
  // A network of its own with nothing but loopback: engines that start side by side get in each other's way elsewhere.
  const HostConfig = { NetworkMode: "none" };
  const container = await docker.createContainer({ Image: image, Cmd: ["sleep", "100000"], HostConfig });
  await container.start();
  const { Id: id, State } = await container.inspect();
  return { container, place: { id, pid: State.Pid } };
}

export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

export function runProgram(program: string, args: string[], input?: Buffer | string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "pipe" });
    const stdout: Buffer[] = [];
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input ?? "");
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout: Buffer.concat(stdout), stderr }));
  });
}

export async function writeRandom(path: string, bytes: number): Promise<Buffer> {
  const { randomBytes } = await import("node:crypto");
  const data = randomBytes(bytes);
  await writeFile(path, data);
  return data;
}
