import type { IncomingMessage } from "node:http";

/**
 * Reads the rest of a body and throws it away. A server that answers and closes while the client still sends
 * makes the client see a broken pipe instead of the answer.
 * @returns true if the whole request was received; false if it is longer than `bytes`, slower than `timeoutMs`, or cut off
 */
export function discardBody(
  incoming: IncomingMessage,
  limits: { bytes: number; timeoutMs: number },
): Promise<boolean> {
  // `complete` also where the body is here but unread: Node drops that by itself.
  if (incoming.complete) return Promise.resolve(true);
  if (incoming.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    let received = 0;
    const finish = (whole: boolean) => {
      clearTimeout(timer);
      incoming.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      if (!whole) incoming.pause();
      resolve(whole);
    };
    const onEnd = () => finish(true);
    const onClose = () => finish(incoming.complete);
    const onData = (chunk: Buffer) => {
      received += chunk.length;
      if (received > limits.bytes) finish(false);
    };
    const timer = setTimeout(() => finish(false), limits.timeoutMs);
    // A reader that gave up half-way would pause the stream again at its own high-water mark.
    incoming.removeAllListeners("data");
    incoming.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
    incoming.resume();
  });
}
