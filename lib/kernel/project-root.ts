import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The project's folder, whether this is read as a source or is part of a compiled program. */
export const PROJECT_ROOT = findAbove(import.meta.dirname, "package.json");

function findAbove(folder: string, name: string): string {
  const above = dirname(folder);
  return existsSync(join(folder, name)) || above === folder ? folder : findAbove(above, name);
}
