import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 in a byte: bytes from here on are thrown away, so that no character is likelier. */
const UNBIASED = 248;

/** Random `[0-9A-Za-z]` from the system's generator, without modulo bias: 5.95 bits a character. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      if (byte < UNBIASED && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}

/** A whole number from 0 as base62, digits before capitals before small letters, filled with 0 on the left to `width`. */
export function toBase62(value: number, width: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = ALPHABET.charAt(rest % 62) + text;
  return text.padStart(width, "0");
}
