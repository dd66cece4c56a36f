import type { ServerChannel, Session } from "ssh2";
import type { Passage } from "./passage";
import { CommandRun, type Wanted } from "./run-command";
import { SftpSession } from "./sftp/sftp-session";

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const LONGEST_VALUE = 4096;
const MOST_VARIABLES = 64;
const TERM = /^[\w.+-]{1,64}$/;
const WIDEST = 2000;

/** Answers what a client asks of one session: a shell, a command or SFTP; terminal and variables before, signals after. */
export function serveSession(
  session: Session,
  passage: Passage,
  adopt: (channel: ServerChannel) => boolean,
): void {
  const wanted: Wanted = { command: null, variables: connectionOf(passage), terminal: null };
  let run: CommandRun | null = null;
  const start = (channel: ServerChannel | undefined, command: string | null) => {
    if (!channel || !adopt(channel)) return;
    run = new CommandRun(channel, passage);
    void run.run({ ...wanted, command });
  };
  session.on("pty", (accept, _reject, { term, rows, cols }) => {
    wanted.terminal = sizeOf(rows, cols);
    wanted.variables.push(`TERM=${TERM.test(term) ? term : "xterm"}`);
    accept?.();
  });
  session.on("env", (accept, reject, { key, val }) => {
    const taken = VARIABLE_NAME.test(key) && val.length <= LONGEST_VALUE && !val.includes("\0");
    if (!taken || wanted.variables.length >= MOST_VARIABLES) return reject?.();
    wanted.variables.push(`${key}=${val}`);
    accept?.();
  });
  session.on("window-change", (accept, _reject, { rows, cols }) => {
    wanted.terminal &&= sizeOf(rows, cols);
    if (wanted.terminal) void run?.resize(wanted.terminal);
    accept?.();
  });
  session.on("signal", (accept, _reject, { name }) => {
    void run?.signal(name);
    accept?.();
  });
  session.once("shell", (accept) => start(accept(), null));
  session.once("exec", (accept, reject, { command }) => {
    if (command.includes("\0")) reject?.();
    else start(accept(), command);
  });
  session.once("subsystem", (accept, reject, { name }) => {
    if (name !== "sftp") return reject?.();
    const channel = accept();
    if (channel && adopt(channel)) void new SftpSession(channel, passage).run();
  });
}

/** Zero: the client does not know. */
function sizeOf(rows: number, columns: number) {
  return { rows: Math.min(rows, WIDEST) || 24, columns: Math.min(columns, WIDEST) || 80 };
}

function connectionOf({ socket }: Passage): string[] {
  const from = `${socket.remoteAddress} ${socket.remotePort}`;
  return [
    `SSH_CLIENT=${from} ${socket.localPort}`,
    `SSH_CONNECTION=${from} ${socket.localAddress} ${socket.localPort}`,
  ];
}
