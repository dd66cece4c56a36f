import { ApiError } from "@/lib/client/call-operation";

/** What a refusal says of one field of the body or the query, by the last step of its `loc`. */
export function issueOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.issues.find(({ loc }) => loc.at(-1) === field || loc[1] === field)?.msg;
}

/** Whether every issue of a refusal is on one of these fields, so that nothing is left to say beside them. */
export function areAllOn(error: unknown, fields: readonly string[]): boolean {
  if (!(error instanceof ApiError) || error.issues.length === 0) return false;
  return error.issues.every(({ loc }) => fields.some((field) => loc.at(-1) === field || loc[1] === field));
}
