/** The filter of a text that contains another in any case; `%`, `_` and `\` mean themselves. */
export function containing(part: string) {
  return { contains: part.replaceAll(/[\\%_]/g, "\\$&"), mode: "insensitive" as const };
}
