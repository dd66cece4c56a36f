import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

it("DOC-03 the README's configuration table names every setting, and no other", () => {
  const documented = [...read("README.md").matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  const typed = [...read("lib/env.ts").matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);
  const ofNode = [...read("lib/http/node/node-settings.ts").matchAll(/\benv\.([A-Z_]+)/g)].map(
    ([, name]) => name,
  );
  // BERTH_WEB_PROCESS is what a node tells the processes that it forks. NODE_ENV is what `npm start` and `npm run dev` set themselves; LOCAL_AGENT waits for the agent.
  const settings = new Set([...typed, ...ofNode, "LOCAL_AGENT"]);
  for (const name of ["NODE_ENV", "BERTH_WEB_PROCESS"]) settings.delete(name);
  expect([...documented].sort()).toEqual([...settings].sort());
});

it("DOC-04 links only to what is there", () => {
  const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  const files = [
    ...["README.md", "CONTRIBUTING.md", "SECURITY.md"],
    ...inDocs.filter((name) => name.endsWith(".md")).map((name) => join("docs", name)),
  ];
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^https?:/.test(target) && !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  );
  expect(broken).toEqual([]);
});
