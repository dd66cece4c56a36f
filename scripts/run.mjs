// `npm run berth` and `npm run agent`: a program, compiled anew where its source has changed.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PROGRAMS, prepare } from "./prepare.mjs";
import { chdirToProject, ROOT, requireNode } from "./project.mjs";

requireNode();
const [name = ""] = process.argv.splice(2, 1);
chdirToProject();
await prepare({ keepPackages: true });
process.argv[1] = join(ROOT, PROGRAMS, `${name}.js`);
await import(pathToFileURL(process.argv[1]).href);
