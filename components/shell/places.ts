/** Where the dashboard's pages are; `key` is their name among the texts. */
export const places = [
  { key: "market", href: "/market", section: "rentSection" },
  { key: "instances", href: "/instances", section: "rentSection" },
  { key: "templates", href: "/templates", section: "rentSection" },
  { key: "keys", href: "/keys", section: "rentSection" },
  { key: "hosts", href: "/hosts", section: "earnSection" },
  { key: "billing", href: "/billing", section: "accountSection" },
  { key: "apiKeys", href: "/api-keys", section: "accountSection" },
  { key: "account", href: "/account", section: "accountSection" },
  { key: "docs", href: "/docs", section: "accountSection" },
] as const;

export const operatorPlace = { key: "operator", href: "/operator", section: "accountSection" } as const;

/** Those that stand in the header; the rest are in the menus. */
export const headerKeys: readonly string[] = [
  "market",
  "instances",
  "templates",
  "keys",
  "hosts",
  "billing",
  "docs",
];
