/** Why a node should, or should not, be sent requests. `reason` is for the operator and holds no secret. */
export type Readiness = { ready: true } | { ready: false; reason: string };

/**
 * Bounds a readiness check in time, and runs it once for all who ask meanwhile: a database that hangs would
 * otherwise collect one waiting connection a probe.
 * @param check may reject or hang; both are "not ready"
 */
export function boundReadiness(check: () => Promise<Readiness>, timeoutMs: number): () => Promise<Readiness> {
  let running: Promise<Readiness> | undefined;
  return async () => {
    running ??= settle(check).finally(() => {
      running = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Readiness>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, { ready: false, reason: "The database does not answer." });
    });
    try {
      return await Promise.race([running, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function settle(check: () => Promise<Readiness>): Promise<Readiness> {
  try {
    return await check();
  } catch {
    return { ready: false, reason: "The database cannot be reached." };
  }
}
