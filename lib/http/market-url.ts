import { env } from "../env";

/** Where the market is reached: PUBLIC_URL, else where this request reached it. Without a slash at the end. */
export function marketUrl(request: Request): string {
  return new URL(env().PUBLIC_URL ?? request.url).origin;
}
