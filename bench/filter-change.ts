// `npm run bench:filter`: how long a changed filter of /market takes until its new result is painted, with 10,000 offers; what the page's scripts
// weigh; when it is interactive on a CPU four times slower. In Chromium, against the built server on a data folder of its own.
import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { promisify } from "node:util";
import { type BrowserContext, chromium, type Page } from "playwright";
import { startMarket } from "../tests/e2e/start-market";

const OFFERS = 10_000;
const QUIET_MS = 3_000;
const SLOWER = 4;

/** What is done to the page; every step is a search that was not asked before. */
const changes: readonly { what: string; act: (page: Page) => Promise<void> }[] = [
  ...[1, 2, 4, 8].map(pickAmount),
  turnOn("Can be rented now"),
  ...[1, 2, 4].map(pickAmount),
  turnOn("In stock"),
  ...[8, 1, 2].map(pickAmount),
  typeFrom("Price per hour", "0.2"),
  ...[4, 8, 1].map(pickAmount),
  typeFrom("Memory of one GPU", "12"),
  ...[2, 4, 8].map(pickAmount),
];

function pickAmount(amount: number) {
  const button = new RegExp(`^${amount}, \\d`);
  return { what: `${amount} GPUs`, act: (page: Page) => page.getByRole("button", { name: button }).click() };
}

function turnOn(name: string) {
  return { what: name, act: (page: Page) => page.getByRole("switch", { name }).click() };
}

function typeFrom(name: string, value: string) {
  const field = `From, ${name}`;
  return { what: `${name} ≥ ${value}`, act: (page: Page) => page.getByLabel(field).fill(value) };
}

/** From the first input event until the frame that shows the new rows was given to the screen. */
function armClock(page: Page): Promise<void> {
  return page.evaluate(() => {
    let began: number | undefined;
    let waited = false;
    const clock = { painted: new Promise<number>(() => {}) };
    clock.painted = new Promise((resolve) => {
      const begin = (event: Event) => {
        began ??= event.timeStamp;
      };
      for (const name of ["click", "input"]) addEventListener(name, begin, { capture: true, once: true });
      const observer = new MutationObserver(() => {
        const table = document.querySelector("table[aria-busy]");
        const busy = table?.getAttribute("aria-busy") === "true";
        waited ||= busy;
        if (!waited || busy || !table) return;
        observer.disconnect();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - (began ?? Number.NaN));
          port2.postMessage(null);
        });
      });
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    Object.assign(window, { clock });
  });
}

function readClock(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { clock: { painted: Promise<number> } }).clock.painted);
}

async function measureChanges(page: Page): Promise<number[]> {
  const taken: number[] = [];
  for (const { what, act } of changes) {
    await armClock(page);
    await act(page);
    const ms = await readClock(page);
    taken.push(ms);
    process.stdout.write(`${what.padEnd(28)} ${ms.toFixed(0).padStart(6)} ms\n`);
    await page.waitForLoadState("networkidle");
  }
  return taken;
}

/** Bytes of script as they came over the wire, and how many came uncompressed. */
async function weighScripts(context: BrowserContext, url: string) {
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  await wire.send("Network.enable");
  await wire.send("Network.setCacheDisabled", { cacheDisabled: true });
  const scripts = new Map<string, { url: string; plain: boolean; bytes: number }>();
  wire.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (type !== "Script") return;
    const encoding = Object.entries(response.headers).find(
      ([name]) => name.toLowerCase() === "content-encoding",
    );
    scripts.set(requestId, { url: response.url, plain: !encoding, bytes: 0 });
  });
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const script = scripts.get(requestId);
    if (script) script.bytes = encodedDataLength;
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const bodies = await page.evaluate(
    async (urls) => {
      const texts = await Promise.all(urls.map(async (each) => (await fetch(each)).text()));
      return texts.filter((text) => /\bZodError\b|\$ZodType/.test(text)).length;
    },
    [...scripts.values()].map((script) => script.url),
  );
  await page.close();
  // Others are of the pages behind its links, which Next fetches beforehand.
  const html = await (await context.request.get(url)).text();
  const all = [...scripts.values()]
    .filter((script) => html.includes(new URL(script.url).pathname))
    .sort((a, b) => b.bytes - a.bytes);
  return { all, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), withZod: bodies };
}

/** The end of the last task over 50 ms before the main thread is quiet, from the navigation's beginning. */
async function measureInteractive(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  await wire.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.addInitScript(() => {
    const seen = { last: 0 };
    Object.assign(window, { tasks: seen });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        seen.last = Math.max(seen.last, startTime + duration);
    }).observe({ type: "longtask", buffered: true });
  });
  await page.goto(url, { waitUntil: "load" });
  const interactive = await page.evaluate(async (quietMs) => {
    const { tasks } = window as unknown as { tasks: { last: number } };
    const first = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    while (performance.now() - Math.max(tasks.last, first()) < quietMs)
      await new Promise((next) => setTimeout(next, 50));
    return Math.max(tasks.last, first());
  }, QUIET_MS);
  await page.close();
  return interactive;
}

function at(part: number, ms: number[]): number {
  const sorted = ms.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

async function main(): Promise<void> {
  const market = await startMarket({ RATE_LIMIT: "off", SIGNUP: "open" });
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    await promisify(execFile)(
      process.execPath,
      [".programs/berth.js", "catalogue", "generate", "--offers", String(OFFERS), "--seed", "7"],
      { env: { ...process.env, DATA_DIR: market.dataDir }, maxBuffer: 1 << 26 },
    );
    const context = await browser.newContext({ baseURL: market.url, viewport: { width: 1360, height: 860 } });
    // tsx names the functions that it sends into the page by a helper that is not there.
    await context.addInitScript({ content: "globalThis.__name = (named) => named" });
    await context.request.post("/auth/sign-up/email", {
      data: { name: "Bench", email: "bench@example.com", password: "a long enough password" },
      headers: { origin: market.url },
    });
    const url = `${market.url}/market`;
    const page = await context.newPage();
    await page.goto(url, { waitUntil: "networkidle" });
    process.stdout.write(`${await page.getByRole("status").first().textContent()}\n`);
    const taken = await measureChanges(page);
    await page.close();
    const { all, bytes, withZod } = await weighScripts(context, url);
    const interactive = await measureInteractive(context, url);
    process.stdout.write(
      `${[
        "",
        `${cpus().length} cores, Node ${process.version}, Chromium ${browser.version()}`,
        `filter change to paint    p50 ${at(0.5, taken).toFixed(0)} ms, p95 ${at(0.95, taken).toFixed(0)} ms (${taken.length} changes; aim 100)`,
        `scripts of /market        ${(bytes / 1000).toFixed(0)} kB compressed in ${all.length} files (aim 250), ${all.filter(({ plain }) => plain).length} uncompressed, ${withZod} with zod`,
        ...all
          .slice(0, 6)
          .map(
            ({ url: file, bytes: size }) =>
              `  ${(size / 1000).toFixed(1).padStart(7)} kB ${new URL(file).pathname}`,
          ),
        `interactive, CPU ${SLOWER}× slower ${interactive.toFixed(0)} ms (aim 2000)`,
      ].join("\n")}\n`,
    );
  } finally {
    await browser.close();
    await market.stop();
  }
}

await main();
