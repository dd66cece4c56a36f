import { parseLaunchSettings } from "../contract/launch-settings";

export interface Variable {
  name: string;
  value: string;
}

/** One assignment of a .env file, by the rules of the package `dotenv`, which itself needs `fs` and so is no browser's. */
const ASSIGNMENT =
  /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/gm;

/** Reads what was pasted: a .env file, or the `-e NAME=value` flags of a `docker run`. The last of a name counts. */
export function readPastedVariables(text: string): Variable[] {
  if (text.trimStart().startsWith("-")) {
    const read = parseLaunchSettings(text);
    return "problem" in read ? [] : toVariables(read.variables);
  }
  const read = new Map<string, string>();
  for (const [, name = "", given = ""] of text.replace(/\r\n?/g, "\n").matchAll(ASSIGNMENT))
    read.set(name, unquote(given.trim()));
  return toVariables(Object.fromEntries(read));
}

function unquote(value: string): string {
  const inner = value.replace(/^(['"`])([\s\S]*)\1$/, "$2");
  return value.startsWith('"') ? inner.replaceAll("\\n", "\n").replaceAll("\\r", "\r") : inner;
}

export function toVariables(variables: Record<string, string>): Variable[] {
  return Object.entries(variables).map(([name, value]) => ({ name, value }));
}

/** The template's `env` that says these variables and no others: a line each, read back exactly as it was meant. */
export function writeVariables(variables: readonly Variable[]): string {
  return variables.map(({ name, value }) => `${name}=${writeValue(value)}`).join("\n");
}

/** Within double quotes an `env` knows `\n`, `\"` and `\\`. */
function writeValue(value: string): string {
  if (!/\n|\r$|^\s|\s$|^["']/.test(value)) return value;
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
