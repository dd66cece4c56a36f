// `npm start`: from a fresh clone, with nothing but Node and npm, to a running market.
import { prepare } from "./prepare.mjs";
import { chdirToProject, fail, requireNode } from "./project.mjs";

requireNode();
chdirToProject();
process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";
// A process that a node has forked finds everything prepared.
if (!process.env.BERTH_WEB_PROCESS) await prepare({ build: true });

// The server runs in this process: signals, exit code and pid are its own.
const { main } = await import("../.programs/server.js");
try {
  await main();
} catch (error) {
  if (error instanceof Error && error.name === "StartupError") fail(error.message);
  throw error;
}
