import type { LaunchSettings } from "../contract/launch-settings";
import { splitWords } from "../contract/split-words";
import { quoteForShell } from "./as-curl";

/** What of a template decides what runs. */
export interface Launch extends LaunchSettings {
  image: string;
  imageTag: string;
  command: string;
  useSsh: boolean;
  useJupyter: boolean;
  useJupyterLab: boolean;
  jupyterDirectory: string;
}

const JUPYTER_PORT = "8888";

/** Names whose values people keep to themselves. `-e NAME` alone has docker take the value from the caller's shell. */
const SECRET_NAME = /TOKEN|SECRET|PASS|CREDENTIAL|PRIVATE|AUTH|KEY|DSN|_PAT$/i;
/** An address with a password in it. */
const SECRET_VALUE = /:\/\/[^\s/@]*:[^\s/@]*@/;

/** What an engine would pull. A digest says all; a tag beside it is left out. */
export function writeImage(image: string, imageTag: string): string {
  return image.includes("@") ? image : `${image}:${imageTag || "latest"}`;
}

/** The ports that are opened to the outside: SSH comes through the host's gateway, and Jupyter brings its own. */
export function openPorts({ ports, useSsh, useJupyter }: Launch): LaunchSettings["ports"] {
  const { "22": ssh, ...others } = ports;
  return {
    ...others,
    ...(ssh && !useSsh ? { "22": ssh } : {}),
    ...(useJupyter ? { [JUPYTER_PORT]: "tcp" as const } : {}),
  };
}

/**
 * The words of the `docker run` that comes closest to what an instance runs. No secret is among them.
 * @returns null where the command has a quote that does not end
 */
export function dockerRunWords(launch: Launch): string[][] | null {
  const options = [
    ["docker", "run", "-d"],
    ["--gpus", "all"],
    ...Object.entries(launch.variables).map(([name, value]) => [
      "-e",
      SECRET_NAME.test(name) || SECRET_VALUE.test(value) ? name : `${name}=${value}`,
    ]),
    ...Object.entries(openPorts(launch)).map(([port, protocol]) => [
      "-p",
      `${port}:${port}${protocol === "udp" ? "/udp" : ""}`,
    ]),
  ];
  const image = writeImage(launch.image, launch.imageTag);
  if (launch.useSsh || launch.useJupyter)
    return [...options, ["--entrypoint", "/bin/sh"], [image, "-c", keepUp(launch)]];
  const command = splitWords(launch.command);
  return command && [...options, [image, ...command]];
}

/** As an instance does: it stays up whatever its command does. */
function keepUp({ useJupyter, useJupyterLab, jupyterDirectory, command }: Launch): string {
  const jupyter = `jupyter ${useJupyterLab ? "lab" : "notebook"} --ip=0.0.0.0 --port=${JUPYTER_PORT} --no-browser --allow-root`;
  const folder = jupyterDirectory ? `cd ${quoteForShell(jupyterDirectory)} && ` : "";
  return [useJupyter ? `(${folder}${jupyter}) &` : "", command.trim(), "sleep infinity"]
    .filter((line) => line !== "")
    .join("\n");
}

/** The same as a command to paste into a POSIX shell, an option a line; null as above. */
export function dockerRun(launch: Launch): string | null {
  const lines = dockerRunWords(launch)?.map((words) => words.map(quoteForShell).join(" "));
  return lines?.join(" \\\n  ") ?? null;
}
