// `npm run screenshots`: every page as a PNG into docs/screenshots, in both themes and languages and on a phone.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright";
import sharp from "sharp";
import settings from "../playwright.config";
import { settle } from "../tests/e2e/settle";
import { startMarket } from "../tests/e2e/start-market";
import { furnish, type WholeMarket } from "../tests/e2e/whole-market";

const folder = "docs/screenshots";
const desktop = { width: 1360, height: 860 };
const looks = [
  { name: "light", locale: "en", colorScheme: "light", viewport: desktop },
  { name: "dark", locale: "en", colorScheme: "dark", viewport: desktop },
  { name: "ru", locale: "ru", colorScheme: "light", viewport: desktop },
  { name: "phone", locale: "en", colorScheme: "light", viewport: { width: 390, height: 844 } },
] as const;

const market = await startMarket({ RATE_LIMIT: "off" });
const browser = await chromium.launch(settings.use?.launchOptions);
try {
  const whole = await furnish(browser, market);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const look of looks) await takeAll(whole, look);
} finally {
  await browser.close();
  await market.stop();
}

async function takeAll({ context, origin, pages }: WholeMarket, look: (typeof looks)[number]): Promise<void> {
  await context.addCookies([{ name: "berth_locale", value: look.locale, url: origin }]);
  const page = await context.newPage();
  await page.setViewportSize(look.viewport);
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: "reduce" });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path);
    await settle(page);
    const png = await page.screenshot();
    // A palette is enough for pages and takes a quarter of the space.
    await writeFile(
      join(folder, `${name}.${look.name}.png`),
      await sharp(png).png({ palette: true }).toBuffer(),
    );
  }
  await page.close();
}
