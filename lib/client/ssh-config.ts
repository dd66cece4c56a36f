import { quoteForShell } from "./as-curl";

/** Where an instance lets in by SSH. All of it is written into lines that people paste, whatever it holds. */
export interface SshTarget {
  host: string;
  port: number;
  user: string;
}

/** The line that logs in. A user that begins like an option is not taken for one. */
export function sshCommand(target: SshTarget): string {
  const destination = quoteForShell(`${target.user}@${target.host}`);
  return `ssh -p ${target.port} ${ends(destination)}${destination}`;
}

/** Copies a file into the home folder. */
export function scpCommand({ host, port, user }: SshTarget): string {
  const destination = quoteForShell(`${user}@${bracketed(host)}:`);
  return `scp -P ${port} ${ends(destination)}./file ${destination}`;
}

/** Shows the fingerprints of the door itself, before one logs in. */
export function keyscanCommand({ host, port }: SshTarget): string {
  return `ssh-keyscan -p ${port} ${ends(host)}${quoteForShell(host)} 2>/dev/null | ssh-keygen -lf -`;
}

/** A block of ~/.ssh/config, after which `ssh ALIAS` is enough. */
export function sshConfig(alias: string, { host, port, user }: SshTarget): string {
  return [
    `Host ${alias}`,
    `  HostName ${configValue(host).replaceAll("%", "%%")}`,
    `  Port ${port}`,
    `  User ${configValue(user)}`,
  ].join("\n");
}

/** A name for `sshConfig` in plain letters: from the instance's name, with the end of its id so that two differ. */
export function sshAlias(name: string, id: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 40);
  const end = id.replaceAll(/[^A-Za-z0-9]/g, "").slice(-4);
  return ["berth", plain, end].filter(Boolean).join("-");
}

/** Opens VS Code's Remote-SSH on the instance. */
export function vscodeLink({ host, port, user }: SshTarget): string {
  const name = host.includes(":") ? bracketed(host) : encodeURIComponent(host);
  return `vscode://vscode-remote/ssh-remote+${encodeURIComponent(user)}@${name}:${port}/`;
}

/** The address, where a browser may open it: others, such as `javascript:`, are not links. */
export function webLink(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === "http:" || protocol === "https:" ? href : null;
}

/** `address:port`, also of IPv6. */
export function socketAddress(address: string, port: string | number): string {
  return `${bracketed(address)}:${port}`;
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

function ends(destination: string): string {
  return /^'?-/.test(destination) ? "-- " : "";
}

/** One value of one line: what would end the line, or the quotes, is left out. */
function configValue(value: string): string {
  const line = value.replaceAll(/[\p{Cc}"\\]/gu, "");
  return /^[\w@.:+%-]+$/.test(line) ? line : `"${line}"`;
}
