import { env } from "../env";
import { decimalToMicro } from "../kernel/money";

const MICRO_PERCENT_A_BASIS_POINT = 10_000n;

/** The operator's part of what a rental earns, in hundredths of a per cent; each instance locks it when it is rented. */
export function feeBasisPoints(): number {
  return Number(decimalToMicro(env().FEE_PERCENT) / MICRO_PERCENT_A_BASIS_POINT);
}
