import { type Answer, toResponse } from "./answers";

/** What a file under app/v0 exports for a method: Next calls it and gets a Response, our own router takes the answer as it is. */
export interface RouteHandler {
  (request: Request, context: { params: Promise<Record<string, string>> }): Promise<Response>;
  answer(request: Request, params: Record<string, string>): Promise<Answer>;
}

export function makeHandler(answer: RouteHandler["answer"]): RouteHandler {
  const handler = async (request: Request, { params }: { params: Promise<Record<string, string>> }) =>
    toResponse(await answer(request, await params));
  return Object.assign(handler, { answer });
}
