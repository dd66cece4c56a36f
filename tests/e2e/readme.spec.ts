import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "playwright/test";
import { type RunningMarket, startMarket } from "./start-market";

let market: RunningMarket;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  market = await startMarket();
});
test.afterAll(() => market.stop());

/** The lines of the README's session, as they are printed, but for this market's address and folder. */
async function readSession(): Promise<string[]> {
  const readme = await readFile("README.md", "utf8");
  const block = /^## A session with curl$[\s\S]*?^```sh$\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? "";
  expect(block).toContain("BERTH=http://127.0.0.1:3000\n");
  expect(block).toContain("./.data/");
  return block
    .replace("http://127.0.0.1:3000", market.url)
    .replace("./.data", market.dataDir)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
}

test("DOC-02 the README's curl session works line by line, from search to destroy", async () => {
  const lines = await readSession();
  const failing = lines.map(
    (line, index) => `${line}\n[ $? = 0 ] || { echo "line ${index} failed" >&2; exit 1; }`,
  );
  const ends = 'echo "rented $OFFER as $INSTANCE with $TEMPLATE and $SECRET"; berth $BERTH/v0/instances';
  const { stdout } = await promisify(execFile)("sh", ["-c", [...failing, ends].join("\n")], {
    timeout: 100_000,
  });
  const answers = stdout.split("\n").filter((line) => line.startsWith("{"));
  expect(answers.length).toBeGreaterThanOrEqual(8);
  // `berth` is curl, which exits 0 whatever the status: each answer has to say itself that it is good.
  expect(answers.filter((answer) => JSON.parse(answer).ok !== true)).toEqual([]);
  expect(stdout).toMatch(/^rented offer_\w+ as inst_\w+ with tmpl_\w+ and \w+$/m);
  expect(JSON.parse(answers.at(-1) ?? "{}")).toEqual({ ok: true, data: [], total_items: 0 });
});
