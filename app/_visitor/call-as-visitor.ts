import { headers } from "next/headers";
import { cache } from "react";
import { CLIENT_HEADER } from "@/lib/accounts/client-header";
import { type AnswerOf, type Call, readAnswer, toRequest } from "@/lib/client/call-operation";
import type { OperationName } from "@/lib/contract/operations";
import { env } from "@/lib/env";
import { toResponse } from "@/lib/http/answers";
import { dispatch } from "@/lib/http/router";

/**
 * Calls an operation while a page is rendered, as the visitor who asked for the page: the very door that the browser
 * uses, without a socket in between.
 * @throws ApiError
 */
export async function callAsVisitor<Name extends OperationName>(
  name: Name,
  call: Call<Name> = {},
): Promise<AnswerOf<Name>> {
  const visitor = await visitorHeaders();
  const { url, init } = toRequest(name, call);
  const own = new Headers(init.headers);
  for (const [header, value] of Object.entries(visitor.passed)) own.set(header, value);
  const request = new Request(`${visitor.origin}${url}`, { ...init, headers: own });
  return readAnswer(toResponse(await dispatch(request, { address: visitor.address })));
}

const visitorHeaders = cache(async () => {
  const given = await headers();
  const host = given.get("host") ?? "localhost";
  const { PUBLIC_URL } = env();
  const origin = PUBLIC_URL ? new URL(PUBLIC_URL).origin : `http://${host}`;
  const passed: Record<string, string> = { host, origin, "sec-fetch-site": "same-origin" };
  for (const header of ["cookie", "x-forwarded-for"]) {
    const value = given.get(header);
    if (value) passed[header] = value;
  }
  return { origin, passed, address: given.get(CLIENT_HEADER) ?? "" };
});
