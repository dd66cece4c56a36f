import { env } from "../env";

/** Where people reach the market, for links. */
export function publicLink(): string {
  const { PUBLIC_URL, HOST, PORT } = env();
  return PUBLIC_URL ?? `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
}
