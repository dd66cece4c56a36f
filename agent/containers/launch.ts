import { createHmac } from "node:crypto";
import type { WishedTemplate } from "../../lib/contract/agent-protocol";
import { splitWords } from "../../lib/contract/split-words";

/** Where Jupyter listens in a container. */
export const JUPYTER_PORT = 8888;

/** What a container runs, in the fields of Docker's create call. */
export interface Launch {
  Entrypoint?: string[];
  Cmd?: string[];
  StopSignal?: string;
  /** NAME=value. */
  Env: string[];
}

/**
 * The first process of a container that is reached by SSH or Jupyter: stays up whatever its command does, and ends at once
 * on TERM. `wait` in a shell takes any child's end, and orphans are its children as it is process 1: nothing stays a zombie.
 * $1 command ("" for none) · $2 lab, notebook or "" · $3 Jupyter's folder ("" for home)
 */
const KEEP_UP = `trap 'exit 0' TERM INT
say() { echo "berth: $*" >&2; }
run_command() {
  shell=sh
  command -v bash >/dev/null 2>&1 && shell=bash
  "$shell" -c "$1"
  say "the start command ended with exit code $?"
}
run_jupyter() {
  folder=\${2:-\${HOME:-/}}
  case $folder in "~") folder=\${HOME:-/} ;; "~/"*) folder=\${HOME:-}/\${folder#"~/"} ;; esac
  mkdir -p "$folder" && cd "$folder" || say "cannot use the folder $folder: Jupyter starts in $(pwd)"
  if ! command -v jupyter >/dev/null 2>&1; then
    say "the image has no Jupyter: installing it with pip"
    package=jupyterlab
    [ "$1" = notebook ] && package=notebook
    python3 -m pip install --no-cache-dir "$package" || python3 -m pip install --no-cache-dir --break-system-packages "$package"
    PATH=$PATH:\${HOME:-/root}/.local/bin
  fi
  if ! command -v jupyter >/dev/null 2>&1; then
    say "there is no Jupyter: use an image that has it, or one with Python and pip"
    return
  fi
  jupyter "$1" --ip=0.0.0.0 --port=${JUPYTER_PORT} --no-browser --allow-root
  say "Jupyter ended with exit code $?"
}
[ -z "$1" ] || run_command "$1" &
[ -z "$2" ] || run_jupyter "$2" "$3" &
while :; do
  sleep 86400 &
  wait $! || [ $? -gt 128 ] || exit 127
done`;

/**
 * What runs in a container. With SSH or Jupyter the image's own entrypoint gives way to a shell that stays up, and the
 * command is a shell's; with neither, the command is the arguments of the image's entrypoint, as after `docker run IMAGE`.
 * @returns a problem, in words for the template's owner, where the command cannot be read
 */
export function planLaunch(
  template: WishedTemplate,
  instanceId: string,
  token: string,
): Launch | { problem: string } {
  const Env = Object.entries({ ...template.variables, BERTH_INSTANCE_ID: instanceId }).map(
    ([name, value]) => `${name}=${value}`,
  );
  if (!template.useSsh && !template.useJupyter) {
    if (!template.command?.trim()) return { Env };
    const Cmd = splitWords(template.command);
    return Cmd ? { Env, Cmd } : { problem: "The template's command has a quote that does not end." };
  }
  const jupyter = template.useJupyterLab ? "lab" : "notebook";
  return {
    // The shell's arguments are read by everybody in the container; a token is not among them.
    Entrypoint: ["/bin/sh", "-c", KEEP_UP, "berth"],
    Cmd: [
      template.command?.trim() ?? "",
      template.useJupyter ? jupyter : "",
      template.jupyterDirectory ?? "",
    ],
    StopSignal: "SIGTERM",
    Env: template.useJupyter
      ? [...Env.filter((one) => !one.startsWith("JUPYTER_TOKEN=")), `JUPYTER_TOKEN=${token}`]
      : Env,
  };
}

/** The same for each run of an instance, and not to be guessed from its id. */
export function makeJupyterToken(tokenKey: Buffer, instanceId: string): string {
  return createHmac("sha256", tokenKey).update(`jupyter ${instanceId}`).digest("hex");
}

/** Where a browser opens Jupyter; null where it is not asked for. */
export function makeUiUrl(
  template: WishedTemplate,
  address: string,
  port: number | undefined,
  token: string,
): string | null {
  if (!template.useJupyter || port === undefined) return null;
  const host = address.includes(":") ? `[${address}]` : address;
  return `http://${host}:${port}/${template.useJupyterLab ? "lab" : "tree"}?token=${token}`;
}

/** Container port → protocol, of those that the engine is to bind; SSH's is the gateway's own. */
export function listPorts(template: WishedTemplate): Record<string, "tcp" | "udp"> {
  const ports = { ...template.ports };
  if (template.useSsh) delete ports["22"];
  if (template.useJupyter) ports[JUPYTER_PORT] = "tcp";
  return ports;
}
