import type { ExternalToast } from "sonner";

type Kind = "message" | "success" | "error";

let isWanted = false;
const listeners = new Set<() => void>();
let mounted: () => void;
const isMounted = new Promise<void>((resolve) => {
  mounted = resolve;
});

/** For the `Toaster`: whether anything was ever told, and that it can show it now. */
export const toasts = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get isWanted() {
    return isWanted;
  },
  markMounted: () => mounted(),
};

async function tell(kind: Kind, text: string, options?: ExternalToast): Promise<void> {
  isWanted = true;
  for (const listener of listeners) listener();
  const sonner = await import("sonner").catch(() => null);
  await isMounted;
  sonner?.toast[kind](text, options);
}

/** Tells how something went, for some seconds. What shows it is loaded with the first word. */
export const toast = Object.assign((text: string) => void tell("message", text), {
  success: (text: string) => void tell("success", text),
  error: (text: string, options?: ExternalToast) => void tell("error", text, options),
});
