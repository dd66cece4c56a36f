import { newId } from "../kernel/ids";

const KEPT = /^[A-Za-z0-9._-]{1,64}$/;

/** The client's request id where it is well formed, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id") ?? "";
  return KEPT.test(given) ? given : newId("req");
}
