import { hashPassword } from "better-auth/crypto";
import { z } from "zod";
import type { Role } from "../contract/words";
import { inTransaction, Prisma } from "../db/client";
import { DomainError, invalidField } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { normaliseEmail } from "./get-account-id";
import { openBalance } from "./open-balance";

const emailAddress = z.email().max(254);
const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 128;

const LONGEST_NAME = 100;

interface NewAccount {
  email: string;
  /** Absent: of the e-mail address. */
  name?: string;
  /** Beside `renter`, which everyone is. */
  roles?: readonly Role[];
  /** USD micro-units. */
  balanceMicro?: bigint;
  /** Without one the person signs in by a one-time link. */
  password?: string;
}

/**
 * An account made by an operator, who answers for its e-mail address, with its balance.
 * @throws ValidationError for an e-mail address, name or password that cannot be used
 * @throws DomainError in_use where the e-mail address has an account
 */
export async function createAccount(wish: NewAccount): Promise<{ userId: string; email: string }> {
  const email = normaliseEmail(wish.email);
  if (!emailAddress.safeParse(email).success) throw invalidField(["body", "email"], "Not an e-mail address");
  const name = (wish.name ?? email.split("@")[0] ?? email).trim();
  if (name.length === 0 || name.length > LONGEST_NAME || /\p{Cc}/u.test(name)) {
    throw invalidField(["body", "name"], `Must have 1 to ${LONGEST_NAME} printable characters`);
  }
  const password = wish.password === undefined ? null : await hashUsable(wish.password);
  const userId = newId("user");
  const kept: Role[] = [...new Set<Role>(["renter", ...(wish.roles ?? [])])];
  await inTransaction(async (tx) => {
    await tx.user.create({
      data: { id: userId, name, email, emailVerified: true, roles: kept },
    });
    await openBalance(tx, userId, wish.balanceMicro ?? 0n);
    if (password) {
      await tx.credential.create({
        data: { id: newId("cred"), accountId: userId, providerId: "credential", userId, password },
      });
    }
  }).catch((error: unknown) => {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002") {
      throw new DomainError(
        "in_use",
        "There is already an account with this e-mail address. Choose another, or make it a key with `berth key create`.",
      );
    }
    throw error;
  });
  return { userId, email };
}

async function hashUsable(password: string): Promise<string> {
  if (password.length < SHORTEST_PASSWORD || password.length > LONGEST_PASSWORD) {
    throw invalidField(
      ["body", "password"],
      `Must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`,
    );
  }
  return hashPassword(password);
}
