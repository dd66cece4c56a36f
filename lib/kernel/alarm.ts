/** Ends another's wait early. */
export interface Alarm {
  ring(): void;
  /** Resolves when it is rung, or was since the last wait, and after `ms` at the latest; tells whether it was rung. */
  waitAtMost(ms: number): Promise<boolean>;
}

/** An alarm for one who waits. */
export function makeAlarm(): Alarm {
  let rung = false;
  let wake: () => void = () => undefined;
  return {
    ring() {
      rung = true;
      wake();
    },
    waitAtMost(ms) {
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          wake = () => undefined;
          const was = rung;
          rung = false;
          resolve(was);
        };
        const timer = setTimeout(done, ms);
        wake = done;
        if (rung) done();
      });
    },
  };
}
