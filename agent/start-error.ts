/** Why the agent cannot start: a sentence for the owner of the machine. */
export class StartError extends Error {
  override name = "StartError";
}
