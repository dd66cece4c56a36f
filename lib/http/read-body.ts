import type { Operation } from "../contract/operation";
import { DomainError, invalidField } from "../kernel/errors";

const MIB = 1024 * 1024;
const LARGEST_BODY = 256 * 1024;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The bytes of a request's body, which is JSON as far as it says.
 * @param emptyBody whether zero bytes stand for `{}`
 * @param largest in bytes
 * @throws DomainError payload_too_large, unsupported_media_type
 */
export async function readJsonBytes(
  request: Request,
  emptyBody: boolean,
  largest = LARGEST_BODY,
): Promise<Uint8Array> {
  const bytes = await readBytes(request, largest);
  if (bytes.length > 0 || !emptyBody) requireJsonType(mediaType(request));
  return bytes;
}

/**
 * The JSON object that a body is.
 * @param emptyBody whether zero bytes stand for `{}`
 * @throws ValidationError with `loc` ["body"]
 */
export function parseJsonBody(bytes: Uint8Array, emptyBody: boolean): object {
  if (bytes.length === 0 && emptyBody) return {};
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidField(["body"], "The body must be a JSON object", "dict_type");
  }
  return value;
}

function mediaType(request: Request): string | undefined {
  return request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
}

function requireJsonType(type: string | undefined): void {
  if (!type || type === "application/json" || /^application\/[\w.-]+\+json$/.test(type)) return;
  throw new DomainError(
    "unsupported_media_type",
    "Send the body as JSON, with Content-Type: application/json.",
  );
}

/**
 * A request's body as it comes, for who is allowed to send it: nothing of it is read before.
 * @throws DomainError payload_too_large (also while it is read), unsupported_media_type · request_timeout while it is read
 */
export function openUpload(
  request: Request,
  { types, largest }: NonNullable<Operation["upload"]>,
): AsyncIterable<Uint8Array> {
  const type = mediaType(request);
  if (type && !types.includes(type)) {
    throw new DomainError(
      "unsupported_media_type",
      `Send the file itself as the body, as one of ${types.join(", ")}.`,
    );
  }
  requireSize(request, largest);
  return readChunks(request, largest);
}

async function readBytes(request: Request, largest: number): Promise<Uint8Array> {
  requireSize(request, largest);
  // A body that says how long it is can be read at once: no more than that comes.
  if (request.headers.has("content-length")) {
    return new Uint8Array(await request.arrayBuffer().catch(cutOff));
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(request, largest)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function requireSize(request: Request, largest: number): void {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > largest) throw tooLarge(largest);
}

async function* readChunks(request: Request, largest: number): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = request.body.getReader();
  let size = 0;
  const read = () => reader.read().catch(cutOff);
  for (let part = await read(); !part.done; part = await read()) {
    size += part.value.length;
    if (size > largest) {
      reader.releaseLock(); // the server reads and drops the rest
      throw tooLarge(largest);
    }
    yield part.value;
  }
}

/** The client went away while it sent: its doing, not a fault of ours to be logged. */
function cutOff(): never {
  throw new DomainError("request_timeout", "The body of this request did not arrive whole. Send it again.");
}

function tooLarge(largest: number): DomainError {
  const size = largest < MIB ? `${largest / 1024} KiB` : `${largest / MIB} MiB`;
  return new DomainError("payload_too_large", `A body may have at most ${size}.`);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw invalidField(["body"], "The body is not valid JSON", "json_invalid");
  }
}
