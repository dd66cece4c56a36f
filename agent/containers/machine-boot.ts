import { readFileSync } from "node:fs";

/** The kernel's id of this boot of the machine; "" where there is none to read. */
export function readMachineBoot(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
