/** The end of a command's help. */
export function example(args: string): string {
  return `\nExample:\n  npm run -s berth -- ${args}`;
}
