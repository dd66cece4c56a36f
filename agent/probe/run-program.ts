import { execFile } from "node:child_process";

/** How a program ended; null where there is no such program. `exitCode` is null when it took too long, or a signal ended it. */
export type ProgramEnd = { exitCode: number | null; stdout: string; stderr: string } | null;

/** Runs a program to its end, within `timeoutMs` (10 s). Never rejects. */
export type RunProgram = (
  program: string,
  args: readonly string[],
  timeoutMs?: number,
) => Promise<ProgramEnd>;

const MOST_OUTPUT_BYTES = 4 * 1024 * 1024;
const KILL_MS = 500;

/** A RunProgram whose programs have, and are looked up by, this environment, or this process's own. */
export function programRunner(env?: NodeJS.ProcessEnv): RunProgram {
  return (program, args, timeoutMs = 10_000) =>
    new Promise((resolve) => {
      // A program that waits for a broken GPU inside the kernel does not even die of SIGKILL.
      const late = setTimeout(() => {
        child.unref();
        resolve({ exitCode: null, stdout: "", stderr: "" });
      }, timeoutMs + KILL_MS);
      const child = execFile(
        program,
        [...args],
        { env, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: MOST_OUTPUT_BYTES },
        (error, stdout, stderr) => {
          clearTimeout(late);
          const missing = error !== null && /^(ENOENT|EACCES|ENOTDIR)$/.test(String(error.code));
          resolve(missing ? null : { exitCode: exitCodeOf(error), stdout, stderr });
        },
      );
    });
}

function exitCodeOf(error: { code?: unknown } | null): number | null {
  if (error === null) return 0;
  return typeof error.code === "number" ? error.code : null;
}
