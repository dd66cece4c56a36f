import { type AnswerOf, ApiError, type Call, readAnswer, toRequest } from "@/lib/client/call-operation";

/**
 * Sends a catalogue; `onSent` hears how much of the file has gone, from 0 to 1, which `fetch` does not tell.
 * @throws ApiError
 */
export async function sendImport(
  call: Call<"createImport">,
  onSent: (part: number) => void,
): Promise<AnswerOf<"createImport">> {
  const { url, init } = toRequest("createImport", call);
  const request = new XMLHttpRequest();
  request.open(init.method, url);
  for (const [name, value] of Object.entries(init.headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener("progress", ({ loaded, total }) => onSent(total > 0 ? loaded / total : 1));
  const answer = await new Promise<Response>((resolve, reject) => {
    request.addEventListener("load", () =>
      resolve(new Response(request.responseText, { status: request.status })),
    );
    request.addEventListener("error", () => reject(new ApiError(0, null)));
    request.send(call.file ?? null);
  });
  return readAnswer(answer);
}
