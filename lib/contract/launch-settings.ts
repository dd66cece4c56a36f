import { endOfLine, type FlagWord, splitFlagWords } from "./flag-words";
import { addPort, isPort, isProtocol, type PortMap, type Protocol } from "./port-map";

/** `variables` by name; `ports` by the port inside the container. Any name is an own property, `__proto__` too. */
export type LaunchSettings = { variables: Record<string, string>; ports: PortMap };

/** A sentence for people that names the line's number and never shows a value. */
export type LaunchProblem = { problem: string };

const MOST_VARIABLES = 256;
const LONGEST_NAME = 255;
/** In bytes of UTF-8. */
const LARGEST_VALUE = 32_768;

/**
 * Names that would reach around what was rented: NVIDIA's runtime takes the list of GPUs from the environment.
 * `BERTH_` is kept for what the platform tells a container.
 */
const RESERVED =
  /^(?:NVIDIA_VISIBLE_DEVICES|NVIDIA_MIG_(?:CONFIG|MONITOR)_DEVICES|NVIDIA_IMEX_CHANNELS)$|^BERTH_/;

/** Long and short form of the flags that are taken, and what each is. */
const FLAGS = [
  { short: "-e", long: "--env", takes: "variable" },
  { short: "-p", long: "--publish", takes: "port" },
] as const;

/**
 * Reads a template's `env`. A line is one of
 * - blank, or a comment that begins with `#`;
 * - `NAME=value`, also after `export `: the value is the rest of the line as it is. Where quotes enclose all of it they
 *   are removed, and within double quotes `\n`, `\"` and `\\` mean a line end, a quote and a backslash, as in a .env file;
 * - flags of `docker run`, split as a shell would: `-e NAME=value`, `--env "NAME=a b"`, `-p 8080`, `-p 80:8080/udp`. A
 *   quote or a backslash at the end carries on to the next line. The outer port is left out: the market assigns it.
 *
 * A name given twice has its last value. A port has one protocol.
 */
export function parseLaunchSettings(env: string): LaunchSettings | LaunchProblem {
  try {
    return readSettings(env);
  } catch (error) {
    if (error instanceof LaunchError) return { problem: error.message };
    throw error;
  }
}

class LaunchError extends Error {
  override name = "LaunchError";

  constructor(line: number, problem: string) {
    super(`Line ${line}: ${problem}.`);
  }
}

type Draft = { variables: Map<string, string>; ports: Map<string, Protocol> };

function readSettings(env: string): LaunchSettings {
  const draft: Draft = { variables: new Map(), ports: new Map() };
  let line = 1;
  for (let at = 0; at < env.length; ) {
    const end = endOfLine(env, at);
    const text = env.slice(at, end).trimStart();
    if (text.startsWith("-")) {
      const read = splitFlagWords(env, at, line);
      if ("openedAt" in read) throw new LaunchError(read.openedAt, "a quote begins here and does not end");
      takeFlags(draft, read.words);
      at = read.next;
      line = read.nextLine;
    } else {
      if (text !== "" && !text.startsWith("#")) takeLine(draft, text.replace(/\r$/, ""), line);
      at = end + 1;
      line += 1;
    }
  }
  return { variables: Object.fromEntries(draft.variables), ports: Object.fromEntries(draft.ports) };
}

function takeLine(draft: Draft, text: string, line: number): void {
  const assignment = text.replace(/^export[ \t]+/, "");
  const equals = assignment.indexOf("=");
  if (equals < 0) throw new LaunchError(line, "there is no = here. Write NAME=value, or -e NAME=value");
  takeVariable(draft, assignment.slice(0, equals), unquote(assignment.slice(equals + 1)), line);
}

function takeFlags(draft: Draft, words: FlagWord[]): void {
  const rest = words.values();
  for (const word of rest) {
    const { takes, attached } = readFlag(word);
    const operand = attached ?? rest.next().value?.text;
    if (takes === "port") takePort(draft, operand ?? "", word.line);
    else takeFlagVariable(draft, operand ?? "", word.line);
  }
}

/** The flag's kind, and its operand where it is joined to it: `--env=A=b`, `-eA=b`, `-p8080`. */
function readFlag({ text, line }: FlagWord): { takes: "variable" | "port"; attached: string | null } {
  for (const { short, long, takes } of FLAGS) {
    if (text === short || text === long) return { takes, attached: null };
    if (text.startsWith(`${long}=`)) return { takes, attached: text.slice(long.length + 1) };
    if (text.startsWith(short)) return { takes, attached: text.slice(short.length).replace(/^=/, "") };
  }
  throw new LaunchError(line, "only the flags -e NAME=value and -p [outer:]inner[/udp] are taken here");
}

function takeFlagVariable(draft: Draft, operand: string, line: number): void {
  const equals = operand.indexOf("=");
  if (equals < 0) throw new LaunchError(line, "after -e there must be NAME=value");
  takeVariable(draft, operand.slice(0, equals), operand.slice(equals + 1), line);
}

function takeVariable({ variables }: Draft, name: string, value: string, line: number): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new LaunchError(
      line,
      /\s$/.test(name)
        ? "there is a space before the =. Write NAME=value without spaces around the ="
        : "a variable's name has letters, digits and _, and does not begin with a digit",
    );
  if (name.length > LONGEST_NAME)
    throw new LaunchError(line, `a name has at most ${LONGEST_NAME} characters`);
  if (RESERVED.test(name))
    throw new LaunchError(
      line,
      "the platform sets this variable itself (NVIDIA_VISIBLE_DEVICES and the like, BERTH_…). Remove it",
    );
  if (value.includes("\0")) throw new LaunchError(line, "a value must not hold a NUL character");
  if (new TextEncoder().encode(value).length > LARGEST_VALUE)
    throw new LaunchError(line, `a value has at most ${LARGEST_VALUE} bytes`);
  if (!variables.has(name) && variables.size === MOST_VARIABLES)
    throw new LaunchError(line, `there are more than ${MOST_VARIABLES} variables`);
  variables.set(name, value);
}

function takePort({ ports }: Draft, operand: string, line: number): void {
  const [published = "", protocol = "tcp", ...more] = operand.split("/", 3);
  const numbers = published.split(":", 3);
  const inner = numbers[numbers.length - 1] ?? "";
  if (more.length > 0 || numbers.length > 2 || !numbers.every(isPort) || !isProtocol(protocol))
    throw new LaunchError(
      line,
      "after -p there must be a port from 1 to 65535, such as 8080, 80:8080 or 8080/udp, without an address or a range",
    );
  const problem = addPort(ports, inner, protocol);
  if (problem !== null) throw new LaunchError(line, problem);
}

/** Removes quotes that enclose the whole value; any other value stays as it is, spaces included. */
function unquote(value: string): string {
  const trimmed = value.trim();
  const quote = trimmed.charAt(0);
  if ((quote !== '"' && quote !== "'") || trimmed.length < 2 || !trimmed.endsWith(quote)) return value;
  const inner = trimmed.slice(1, -1);
  if (quote === "'") return inner.includes("'") ? value : inner;
  const bare = inner.replace(/\\./g, "");
  if (bare.includes('"') || bare.includes("\\")) return value;
  return inner.replace(/\\(["\\n])/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
}
