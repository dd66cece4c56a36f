import { isIP } from "node:net";
import { env } from "../env";
import { decimalToMicro } from "../kernel/money";

/** What "Exposure" of the decisions makes of HOST and PUBLIC_URL. */
export interface SignUpRules {
  /** Only this machine can reach the market. */
  loopback: boolean;
  /** Anyone may make an account. `SIGNUP=invite` and `closed` leave that to `berth account create`. */
  open: boolean;
  /** What a person who signs up starts with, USD micro-units. */
  creditMicro: bigint;
}

/** By default: open with 100 USD on loopback; by invitation and without credit anywhere else. */
export function getSignUpRules(): SignUpRules {
  const { HOST, PUBLIC_URL, SIGNUP, SIGNUP_CREDIT } = env();
  const loopback = isLoopbackHost(HOST) && (!PUBLIC_URL || isLoopbackHost(new URL(PUBLIC_URL).hostname));
  return {
    loopback,
    open: (SIGNUP ?? (loopback ? "open" : "invite")) === "open",
    creditMicro: decimalToMicro(SIGNUP_CREDIT ?? (loopback ? "100" : "0")),
  };
}

function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  return bare === "localhost" || bare === "::1" || (isIP(bare) === 4 && bare.startsWith("127."));
}
