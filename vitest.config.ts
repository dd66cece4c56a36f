import { defineConfig } from "vitest/config";

const alias = { "@": import.meta.dirname };

/** Nothing here is timed: these bounds only end what hangs, on a machine that is busy with other things too. */
const bounds = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } };

/** Only the second project starts a PostgreSQL, so unit tests alone run without one. */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    projects: [
      {
        resolve: { alias },
        test: { name: "unit", include: ["tests/unit/**/*.test.ts"], ...bounds },
      },
      {
        resolve: { alias },
        test: {
          name: "database",
          include: ["tests/{agent,api,cli,db,fault,server}/**/*.test.ts"],
          globalSetup: "tests/support/global-setup.ts",
          ...bounds,
        },
      },
    ],
  },
});
