import { defineConfig } from "vitest/config";

const alias = { "@": import.meta.dirname };

/** Only the second project starts a PostgreSQL, so unit tests alone run without one. */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    projects: [
      {
        resolve: { alias },
        test: { name: "unit", include: ["tests/unit/**/*.test.ts"], testTimeout: 30_000 },
      },
      {
        resolve: { alias },
        test: {
          name: "database",
          include: ["tests/{agent,api,cli,db,fault,server}/**/*.test.ts"],
          globalSetup: "tests/support/global-setup.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
