import { auth } from "@/lib/accounts/auth";
import { whileDatabaseAnswers } from "@/lib/db/heartbeat";
import { failureAnswer, toResponse } from "@/lib/http/answers";
import { requestIdOf } from "@/lib/http/request-id";

/** Everything that better-auth does for browsers: signing in, up and out, one-time links, new passwords. */
async function answer(request: Request): Promise<Response> {
  try {
    const answered = await whileDatabaseAnswers(() => auth().handler(request));
    answered.headers.set("cache-control", "no-store");
    return answered;
  } catch (error) {
    return toResponse(failureAnswer(error, requestIdOf(request)));
  }
}

export { answer as GET, answer as POST };
