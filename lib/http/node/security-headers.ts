/** Which of the two policies an answer gets: machine-readable, or a page a browser renders. */
export type AnswerKind = "api" | "page";

const COMMON: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

const POLICY = "Content-Security-Policy";
const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Scripts by nonce alone; styles inline too, since positions of menus and charts are style attributes. */
function pagePolicy(nonce: string, dev: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * Makes the headers of every answer, by kind.
 * A page's scripts need `nonce`, which is new for every answer.
 * HSTS only where the public address is https: on http a browser ignores it, on loopback it would lock out.
 */
export function makeSecurityHeaders(options: {
  publicUrl?: string | undefined;
  dev?: boolean | undefined;
}): (kind: AnswerKind, nonce?: string) => Record<string, string> {
  const https = options.publicUrl?.toLowerCase().startsWith("https://") === true;
  const shared = https ? { ...COMMON, "Strict-Transport-Security": "max-age=31536000" } : COMMON;
  const api = { ...shared, [POLICY]: API_POLICY };
  return (kind, nonce = "") =>
    kind === "api" ? api : { ...shared, [POLICY]: pagePolicy(nonce, options.dev === true) };
}
