import { DomainError, invalidField } from "../kernel/errors";

const LARGEST_BODY = 256 * 1024;

/**
 * The JSON object of a request's body.
 * @param emptyBody whether zero bytes stand for `{}`
 * @param largest in bytes
 * @throws DomainError payload_too_large, unsupported_media_type · ValidationError with `loc` ["body"]
 */
export async function readJsonBody(
  request: Request,
  emptyBody: boolean,
  largest = LARGEST_BODY,
): Promise<{ value: object; bytes: Uint8Array }> {
  const bytes = await readBytes(request, largest);
  if (bytes.length === 0 && emptyBody) return { value: {}, bytes };
  requireJsonType(request.headers.get("content-type"));
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidField(["body"], "The body must be a JSON object", "dict_type");
  }
  return { value, bytes };
}

function requireJsonType(contentType: string | null): void {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (!type || type === "application/json" || /^application\/[\w.-]+\+json$/.test(type)) return;
  throw new DomainError(
    "unsupported_media_type",
    "Send the body as JSON, with Content-Type: application/json.",
  );
}

async function readBytes(request: Request, largest: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > largest) throw tooLarge(largest);
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  const reader = request.body.getReader();
  let size = 0;
  const read = () => reader.read().catch(cutOff);
  for (let part = await read(); !part.done; part = await read()) {
    size += part.value.length;
    if (size > largest) {
      reader.releaseLock(); // the server reads and drops the rest
      throw tooLarge(largest);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

/** The client went away while it sent: its doing, not a fault of ours to be logged. */
function cutOff(): never {
  throw new DomainError("request_timeout", "The body of this request did not arrive whole. Send it again.");
}

function tooLarge(largest: number): DomainError {
  return new DomainError("payload_too_large", `A body may have at most ${largest / 1024} KiB.`);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalidField(["body"], "The body is not valid JSON", "json_invalid");
  }
}
