import { describe } from "vitest";
import { whyNoEngine } from "./test-engine";

if (whyNoEngine !== null) {
  process.stderr.write(`\nSKIPPED: tests on a real container engine, because ${whyNoEngine}.\n\n`);
}

/** Tests on a real engine. Skipped, and said so, where none can be had; in CI they fail there. */
export const describeWithEngine = whyNoEngine !== null && !process.env.CI ? describe.skip : describe;
