/**
 * Runs inside a container's network, on this machine's own files: dials what it is asked for and hands the socket over
 * to the agent, which so has a connection that starts where the container's own do. It reads and writes no byte of it.
 * Started by network-reach.ts; ends with the agent.
 */
import { readlinkSync } from "node:fs";
import { Socket } from "node:net";

const CONNECT_TIME_MS = 10_000;

// The container may have ended, and its number been given to a process of the machine, before nsenter looked.
if (readlinkSync("/proc/self/ns/net") !== process.argv[2]) process.exit(1);
process.on("disconnect", () => process.exit(0));
process.on("message", ({ id, host, port }) => {
  const socket = new Socket({ allowHalfOpen: true });
  const timer = setTimeout(() => socket.destroy(new Error("ETIMEDOUT")), CONNECT_TIME_MS);
  // What the other side says first is for the agent to read.
  socket.pause();
  socket.once("error", (error) => {
    clearTimeout(timer);
    process.send?.({ id, error: error.message });
  });
  socket.connect(port, host, () => {
    clearTimeout(timer);
    process.send?.({ id, error: null }, socket);
  });
});
process.send?.({ id: 0, error: null });
