import { DomainError } from "../kernel/errors";

const MOST_OF_ONE = 20;

/** Gives a place back; more than once changes nothing. */
export type Leave = () => void;

/**
 * Counts who follows on this node, by account.
 * @param what an account follows, in words
 * @returns takes a place of the account; throws DomainError too_many_requests where it has 20
 */
export function makeFollowerPlaces(what: string): (userId: string) => Leave {
  const taken = new Map<string, Set<symbol>>();
  return (userId) => {
    const own = taken.get(userId) ?? new Set();
    if (own.size >= MOST_OF_ONE) {
      throw new DomainError(
        "too_many_requests",
        `This account follows ${what} ${MOST_OF_ONE} times already. End one of them, then try again.`,
      );
    }
    const place = Symbol();
    taken.set(userId, own.add(place));
    return () => {
      own.delete(place);
      if (own.size === 0 && taken.get(userId) === own) taken.delete(userId);
    };
  };
}
