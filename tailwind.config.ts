import type { Config } from "tailwindcss";

const tokens = [
  "background",
  "surface",
  "raised",
  "muted",
  "border",
  "input",
  "foreground",
  "subtle",
  "primary",
  "primary-strong",
  "on-primary",
  "primary-soft",
  "on-primary-soft",
  "danger",
  "danger-strong",
  "danger-soft",
  "on-danger-soft",
  "warning-soft",
  "on-warning-soft",
  "success",
  "success-soft",
  "on-success-soft",
  "ring",
];

/** The colours' values, light and dark, are in app/globals.css. */
export default {
  content: ["./app/**/*.tsx", "./components/**/*.tsx"],
  darkMode: "class",
  theme: {
    extend: {
      colors: Object.fromEntries(tokens.map((name) => [name, `var(--${name})`])),
      fontFamily: { sans: ['"Inter Variable"', "system-ui", "sans-serif"] },
    },
  },
} satisfies Config;
