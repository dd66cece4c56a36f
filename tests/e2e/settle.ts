import type { Page } from "playwright/test";

/** Waits until the page's scripts have taken over, what was loading has come, and a sheet or dialog of the address is open. */
export async function settle(page: Page): Promise<void> {
  const hasDialog = /[?&](rent|compare|join)\b/.test(page.url());
  await page.waitForFunction(
    (expectsDialog) => {
      const heading = document.querySelector("h1, h2");
      const isTakenOver = heading !== null && Object.keys(heading).some((key) => key.startsWith("__react"));
      const isLoading = document.querySelector(".animate-pulse, main [aria-busy=true]") !== null;
      return (
        isTakenOver && !isLoading && (!expectsDialog || document.querySelector("[role=dialog]") !== null)
      );
    },
    hasDialog,
    { timeout: 60_000 },
  );
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
