/** Quoted stretches, escaped characters and plain ones, up to a blank that none of them holds. */
const WORD = /(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/g;
const PIECE = /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g;

/**
 * The words of a command as a POSIX shell passes them on: quotes and backslashes work, nothing is expanded, operators are
 * ordinary characters. (`shell-quote` expands variables and cuts at operators, `string-argv` knows no backslashes.)
 * @returns null where a quote does not end
 */
export function splitWords(command: string): string[] | null {
  const rest = command.replace(WORD, "");
  if (/\S/.test(rest)) return null;
  return (command.match(WORD) ?? []).map((word) =>
    word.replace(PIECE, (_, escaped?: string, double?: string, single?: string) => {
      if (escaped !== undefined) return escaped === "\n" ? "" : escaped;
      return (
        double?.replace(/\\(["\\$`\n])/g, (_match, kept: string) => (kept === "\n" ? "" : kept)) ??
        single ??
        ""
      );
    }),
  );
}
