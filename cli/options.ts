import { InvalidArgumentError } from "commander";
import { decimalToMicro } from "../lib/kernel/money";

/** USD with at most six decimals, as micro-units. */
export function parseUsd(text: string): bigint {
  if (!/^-?\d{1,10}(\.\d{1,6})?$/.test(text)) {
    throw new InvalidArgumentError("Use USD with at most six decimals, such as 12.5.");
  }
  return decimalToMicro(text);
}

/** USD that can only be given, not taken. */
export function parseUsdNotNegative(text: string): bigint {
  const micro = parseUsd(text);
  if (micro < 0n) throw new InvalidArgumentError("Use an amount of zero or more.");
  return micro;
}

/** A parser for whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Use a whole number from ${least} to ${most}.`);
  };
}

/** Words between commas. */
export function parseList(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
