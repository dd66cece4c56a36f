// `npm run dev`: the same server, with pages that reload while they are edited.
import { prepare } from "./prepare.mjs";
import { chdirToProject, requireNode } from "./project.mjs";

requireNode();
chdirToProject();
process.env.NODE_ENV = "development";
process.env.NEXT_TELEMETRY_DISABLED = "1";
await prepare();
const { register } = await import("tsx/esm/api");
register();
const { main } = await import("../server.ts");
await main();
