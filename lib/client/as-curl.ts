import type { OperationName } from "../contract/operations";
import { type Call, toRequest } from "./call-operation";

/** The call as a line for a POSIX shell; the key comes from the environment. */
export function asCurl<Name extends OperationName>(
  origin: string,
  name: Name,
  call: Call<Name> = {},
): string {
  const { url, init } = toRequest(name, call);
  const parts = ["curl", "-sS"];
  if (init.method !== "GET") parts.push("-X", init.method);
  parts.push(quoteForShell(origin + url), "-H", '"X-Api-Key: $BERTH_API_KEY"');
  if (call.file) {
    parts.push("-H", quoteForShell("Content-Type: application/octet-stream"), "--data-binary", "@FILE");
  } else if (typeof init.body === "string") {
    parts.push("-H", quoteForShell("Content-Type: application/json"), "-d", quoteForShell(init.body));
  }
  return parts.join(" ");
}

/** One word for a POSIX shell, whatever it holds. */
export function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
