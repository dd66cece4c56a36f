/** What an instance costs, told once more from the decisions alone: nothing here comes from the product. */

const HOUR = 3_600_000_000n;
const DAY = 24n * HOUR;
const MINUTE = 60_000_000n;

const HOURS = { hour: 1n, day: 24n, week: 168n, month: 720n, quarter: 2160n, half_year: 4320n, year: 8760n };
const DISCOUNTS = { hour: 0n, day: 0n, week: 5n, month: 20n, quarter: 30n, half_year: 40n, year: 40n };
export type Period = keyof typeof HOURS;
export const periods: [Period, ...Period[]] = [
  "hour",
  "day",
  "week",
  "month",
  "quarter",
  "half_year",
  "year",
];

type Status = "pending" | "running" | "paused" | "rebooting" | "error" | "destroyed";

/** Micro-units an hour, or a GB and month. Times are microseconds. */
export interface Terms {
  price: bigint;
  diskPrice: bigint;
  diskGb: bigint;
  pauseShare: bigint;
  feeBasisPoints: bigint;
  period: Period;
  autoRenew: boolean;
}

interface Segment {
  from: bigint;
  rate: bigint;
  term: number | null;
}

const half = (a: bigint, b: bigint) => (2n * a + b) / (2n * b);

export class CostModel {
  status: Status = "pending";
  /** Taken from the balance in all, less what came back. */
  cost = 0n;
  fee = 0n;
  paid = 0n;
  refunded = 0n;
  until: bigint | null = null;
  #ran = false;
  #term = 0;
  #escrow = 0n;
  #segment: Segment | null = null;
  #silentSince: bigint | null = null;
  #lastBreak = 0n;
  #rebootFrom = 0n;
  #terms: Terms;

  constructor(terms: Terms) {
    this.#terms = terms;
    if (terms.period !== "hour") this.#payTerm();
  }

  get uptimeRate(): bigint {
    const { price, diskPrice, diskGb } = this.#terms;
    return price + half(diskPrice * diskGb, 720n);
  }

  get pauseRate(): bigint {
    const { price, diskPrice, diskGb, pauseShare } = this.#terms;
    return half(price * pauseShare, 100n) + half(diskPrice * diskGb, 720n);
  }

  get termRate(): bigint {
    const { price, period } = this.#terms;
    return half(price * (100n - DISCOUNTS[period]), 100n);
  }

  get isPrepaid(): boolean {
    return this.#term > 0 && (this.until !== null || !this.#ran);
  }

  get isSilent(): boolean {
    return this.#silentSince !== null;
  }

  /** A verb or the machine brings it to a status at `at`; `lastReport` is its host's, `at` while the host is heard. */
  move(status: Status, at: bigint, lastReport: bigint): void {
    this.pass(at, lastReport);
    if (status === "running" && !this.#ran) {
      this.#ran = true;
      if (this.#term > 0) this.until = at + HOURS[this.#terms.period] * HOUR;
    }
    this.#close(at);
    this.status = status;
    if (status === "rebooting") this.#rebootFrom = at;
    this.#open(at);
  }

  /** What time alone brings, up to `at`: the ends of terms, a long reboot, a silence. */
  pass(at: bigint, lastReport: bigint): void {
    if (!this.#ran || this.status === "destroyed") return;
    const falls = this.#silentSince === null && at - lastReport > MINUTE;
    const known = this.#silentSince ?? (falls ? lastReport : at);
    while (this.until !== null && this.until <= known) this.#endTerm(this.until);
    const metered = this.#rebootFrom + 2n * MINUTE;
    const reboots = this.status === "rebooting" && this.until === null && !this.#segment;
    if (reboots && this.#silentSince === null && metered <= known) {
      const from = metered > this.#lastBreak ? metered : this.#lastBreak;
      this.#segment = { from, rate: this.uptimeRate, term: null };
    }
    if (falls) {
      this.#close(lastReport);
      this.#silentSince = lastReport > this.#lastBreak ? lastReport : this.#lastBreak;
    }
  }

  /** The host, heard last at `lastReport`, is heard again at `at`. */
  hear(at: bigint, lastReport: bigint): void {
    this.pass(at, lastReport);
    if (this.#silentSince === null || this.status === "destroyed") return;
    if (this.until !== null) this.until += at - this.#silentSince;
    this.#silentSince = null;
    if (this.status === "rebooting") this.#rebootFrom = at;
    this.#open(at);
  }

  end(at: bigint, lastReport: bigint, by: "renter" | "platform"): void {
    this.move("destroyed", at, lastReport);
    if (!this.isPrepaid) return;
    const refund = this.#refund(at, by);
    this.refunded += refund;
    this.cost -= refund;
    this.#escrow -= refund;
    this.#release();
    this.until = null;
  }

  /** What it has cost until `at`, the open segment with it, while its host is heard. */
  costAt(at: bigint): bigint {
    const open = this.#segment;
    if (!open || open.term !== null) return this.cost;
    return this.cost + (open.rate * (at - open.from)) / HOUR;
  }

  #refund(at: bigint, by: "renter" | "platform"): bigint {
    const price = this.termRate * HOURS[this.#terms.period];
    if (this.until === null) return price;
    const stopped = this.#silentSince ?? at;
    const unused = this.until - stopped;
    const isLongSilent = this.#silentSince !== null && at - this.#silentSince > DAY;
    if (by === "platform" || isLongSilent) return (this.termRate * unused) / HOUR;
    const used = HOURS[this.#terms.period] * HOUR - unused;
    const left = 95n * (price * HOUR - used * this.#terms.price);
    return left > 0n ? left / (100n * HOUR) : 0n;
  }

  #payTerm(): void {
    const price = this.termRate * HOURS[this.#terms.period];
    this.#term += 1;
    this.#escrow += price;
    this.paid += price;
    this.cost += price;
  }

  #endTerm(at: bigint): void {
    this.#close(at);
    this.#release();
    if (this.#terms.autoRenew) {
      this.#payTerm();
      this.until = at + HOURS[this.#terms.period] * HOUR;
    } else {
      this.until = null;
    }
    this.#open(at);
  }

  #release(): void {
    this.fee += (this.#escrow * this.#terms.feeBasisPoints) / 10_000n;
    this.#escrow = 0n;
  }

  #close(at: bigint): void {
    const open = this.#segment;
    this.#segment = null;
    if (!open) return;
    const end = at > open.from ? at : open.from;
    const micro = (open.rate * (end - open.from)) / HOUR;
    if (open.term === null) this.cost += micro;
    else this.#escrow -= micro;
    this.fee += (micro * this.#terms.feeBasisPoints) / 10_000n;
    this.#lastBreak = end;
  }

  #open(at: bigint): void {
    if (!this.#ran || this.#silentSince !== null || this.status === "destroyed") return;
    const from = at > this.#lastBreak ? at : this.#lastBreak;
    if (this.until !== null) {
      this.#segment = { from, rate: this.termRate, term: this.#term };
    } else if (this.status === "running") {
      this.#segment = { from, rate: this.uptimeRate, term: null };
    } else if (this.status === "paused" || this.status === "error") {
      this.#segment = { from, rate: this.pauseRate, term: null };
    }
  }
}
