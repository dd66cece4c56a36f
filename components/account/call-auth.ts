/** A refusal of better-auth; status 0: no answer came. */
export class AuthError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { code = "", message = "" }: { code?: string; message?: string } = {}) {
    super(message);
    this.name = "AuthError";
    this.status = status;
    this.code = code;
  }
}

/**
 * Posts to better-auth as the signed-in browser.
 * @throws AuthError
 */
export async function callAuth(path: string, body: object = {}): Promise<void> {
  const answer = await fetch(`/auth${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new AuthError(0);
  });
  if (!answer.ok) throw new AuthError(answer.status, await answer.json().catch(() => ({})));
}
