import { env } from "../env";

/**
 * Where the market is reached: PUBLIC_URL, else where this request reached it. Without a slash at the end. Only a market on
 * loopback goes without PUBLIC_URL, so a Host header can name nobody else's machine to anyone but its sender.
 */
export function marketUrl(request: Request): string {
  const { PUBLIC_URL } = env();
  if (PUBLIC_URL) return new URL(PUBLIC_URL).origin;
  return `http://${request.headers.get("host") ?? new URL(request.url).host}`;
}
