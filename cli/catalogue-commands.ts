import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Command, Option } from "commander";
import { writeBerthLine } from "../lib/catalogue/berth-line";
import type { CatalogueFormat } from "../lib/catalogue/detect-format";
import { generateOffers } from "../lib/catalogue/generate-offers";
import type { ImportResult } from "../lib/catalogue/import-drafts";
import { catalogueFormats } from "../lib/contract/words";
import { example } from "./example";
import { wholeNumber } from "./options";
import { CommandError, onMarket, printJson, say } from "./run-command";

const PROGRESS_ROWS = 5_000;
const MOST_REASONS_SAID = 20;
const runtimes = ["none", "simulated"] as const;

interface ImportOptions {
  format?: CatalogueFormat;
  runtime: (typeof runtimes)[number];
  source?: string;
}

interface GenerateOptions {
  offers: number;
  seed: string;
  out?: string;
}

export function addCatalogueCommands(program: Command): void {
  const catalogue = program
    .command("catalogue")
    .description("offers that others publish, or that are made up");
  catalogue
    .command("import")
    .description("read a file of offers: add, update, and withdraw what is gone since the last import")
    .argument("<file>", "SkyPilot's CSV, Prime Intellect's JSON, or Berth's JSON Lines")
    .addOption(new Option("--format <format>", "absent: told from the file").choices(catalogueFormats))
    .addOption(
      new Option("--runtime <runtime>", "what stands behind the offers; with none they cannot be rented")
        .choices(runtimes)
        .default("none"),
    )
    .option("--source <name>", "imports of one name update each other; absent: told from format and file")
    .addHelpText("after", example("catalogue import catalogs/v8/vast/vms.csv --runtime simulated"))
    .action(onMarket(importFile));
  catalogue
    .command("generate")
    .description("make up a plausible market, the same for the same seed, on the simulated runtime")
    .requiredOption("--offers <count>", "how many", wholeNumber(1, 5_000_000))
    .option("--seed <seed>", "any text", "1")
    .option("--out <file>", "write Berth's JSON Lines to a file instead of the market")
    .addHelpText("after", example("catalogue generate --offers 10000 --seed 7 --out market.jsonl"))
    .action(async (options: GenerateOptions) => {
      if (options.out) printJson(await writeGenerated(options, options.out));
      else await onMarket(importGenerated)(options);
    });
  program
    .command("demo")
    .description("the demo market")
    .command("load")
    .description(
      "load what the demo lacks: 400 offers of fictional providers, three hosts and a renter with a key",
    )
    .addHelpText("after", example("demo load"))
    .action(onMarket(loadDemoMarket));
}

async function importFile(file: string, { format, runtime, source }: ImportOptions) {
  const { importCatalogue } = await import("../lib/catalogue/import-catalogue");
  const { sourceOf } = await import("../lib/catalogue/start-import");
  const named = source ?? sourceOf(file);
  // Opened here, so that a missing file is an error of ours and not of a stream that nobody reads yet.
  const opened = await openFile(file);
  const result = await importCatalogue(opened.createReadStream(), {
    fileName: file,
    source: named,
    runtime,
    onProgress: sayProgress(),
    ...(format && { format }),
  });
  return reportImport(named, result);
}

async function openFile(file: string) {
  const opened = await open(file).catch((error: Error) => {
    throw new CommandError(`${file} cannot be opened (${error.message}). Check the path.`);
  });
  if ((await opened.stat()).isFile()) return opened;
  await opened.close();
  throw new CommandError(`${file} is not a file. Name the catalogue's file itself.`);
}

function sayProgress(): (rows: number) => void {
  let said = 0;
  return (rows) => {
    if (rows - said < PROGRESS_ROWS) return;
    said = rows;
    say(`${rows} rows …`);
  };
}

function reportImport(source: string, result: ImportResult) {
  const { created, updated, unchanged, withdrawn, skippedCount, skipped } = result;
  for (const { line, reason } of skipped.slice(0, MOST_REASONS_SAID)) say(`line ${line} skipped: ${reason}`);
  if (skippedCount > MOST_REASONS_SAID) {
    say(`… and ${skippedCount - MOST_REASONS_SAID} more rows: see "skipped" on standard output`);
  }
  return { source, created, updated, unchanged, withdrawn, skipped_count: skippedCount, skipped };
}

async function importGenerated({ offers, seed }: GenerateOptions) {
  const { importDrafts } = await import("../lib/catalogue/import-drafts");
  const source = `generated ${seed}`;
  const result = await importDrafts({
    source,
    drafts: generateOffers({ offers, seed }),
    runtime: "simulated",
    onProgress: sayProgress(),
  });
  return reportImport(source, result);
}

async function writeGenerated({ offers, seed }: GenerateOptions, file: string) {
  await pipeline(Readable.from(writeLines(offers, seed)), createWriteStream(file));
  return { file, offers, seed };
}

function* writeLines(offers: number, seed: string): Generator<string> {
  for (const draft of generateOffers({ offers, seed })) yield `${writeBerthLine(draft)}\n`;
}

async function loadDemoMarket() {
  const { getSignUpRules } = await import("../lib/accounts/sign-up-rules");
  if (!getSignUpRules().loopback) {
    throw new CommandError(
      "This market can be reached from other machines, and the demo has a key that is easily found. Unset HOST and PUBLIC_URL to load it on loopback.",
    );
  }
  const { ensureDemo } = await import("../lib/market-setup");
  const { renterId, apiKey } = await ensureDemo();
  return { account_id: renterId, api_key: apiKey };
}
