import { type ErrorBody, type ErrorCode, errorCodes } from "../contract/errors";

/** The flat error object of every answer but 200 and 422, as JSON text. */
export function problemText(
  code: ErrorCode,
  detail: string,
  requestId: string,
  extra: Partial<Pick<ErrorBody, "price" | "currency">> = {},
): string {
  const { status, title } = errorCodes[code];
  const body = {
    ok: false as const,
    detail,
    code,
    status,
    title,
    type: `/errors/${code}`,
    request_id: requestId,
  };
  return JSON.stringify({ ...body, ...extra } satisfies ErrorBody);
}
