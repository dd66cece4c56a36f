import { inTransaction } from "../db/client";
import { addSimulatedHost, type SimulatedHost } from "../hosts/create-simulated-host";
import { lockHostToken, spendHostToken } from "./host-token";

/**
 * A simulated machine joins by a host token, as a real one would: a host of the token's owner, which uses the token up.
 * @throws DomainError invalid_api_key for the token, not_found for the GPU · ValidationError for the price
 */
export function simulateJoin(
  token: string,
  machine: Omit<SimulatedHost, "userId">,
): Promise<{ hostId: string; offerId: string }> {
  return inTransaction(async (tx) => {
    const locked = await lockHostToken(tx, token, null);
    const { agentId, ...made } = await addSimulatedHost(tx, { ...machine, userId: locked.userId });
    await spendHostToken(tx, locked, agentId);
    return made;
  });
}
