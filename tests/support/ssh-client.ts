import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject } from "vitest";
import { call, type Instance, type Renter } from "./renter";

const run = promisify(execFile);

/** A key pair of ssh-keygen's, and its public half as a key of the account. */
export async function makeKey(renter: Renter, name: string): Promise<{ file: string; id: string }> {
  const file = join(await mkdtemp(join(inject("scratchFolder"), "key-")), name);
  await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
  const value = await readFile(`${file}.pub`, "utf8");
  const { id } = await call<{ id: string }>(renter, "POST", "/v0/secrets", { name, value });
  return { file, id };
}

/** What every OpenSSH client is called with; the host's key is known beforehand from the instance's fingerprint. */
export async function sshOptions(instance: Instance, keyFile: string): Promise<string[]> {
  const known = join(await mkdtemp(join(inject("scratchFolder"), "known-")), "hosts");
  const { stdout } = await run("ssh-keyscan", ["-p", String(instance.ssh_port), instance.ssh_host]);
  await writeFile(known, stdout);
  const shown = await run("ssh-keygen", ["-lf", known]);
  expect(shown.stdout).toContain(instance.fingerprint);
  const options = [
    `UserKnownHostsFile=${known}`,
    "StrictHostKeyChecking=yes",
    "IdentitiesOnly=yes",
    "BatchMode=yes",
  ];
  return ["-F", "/dev/null", "-i", keyFile, ...options.flatMap((option) => ["-o", option])];
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** A command over OpenSSH's client. */
export async function ssh(instance: Instance, keyFile: string, command: string): Promise<Ran> {
  const options = await sshOptions(instance, keyFile);
  const args = [
    ...options,
    "-p",
    String(instance.ssh_port),
    `${instance.ssh_username}@${instance.ssh_host}`,
    command,
  ];
  try {
    return { code: 0, ...(await run("ssh", args)) };
  } catch (error) {
    const { code, stdout, stderr } = error as Ran;
    return { code, stdout, stderr };
  }
}
