/** A reason not to start that is for people: its message says what happened and what to do, so no stack is shown. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}
