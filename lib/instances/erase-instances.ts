import type { Tx } from "../db/client";

/**
 * Takes out of an account's destroyed instances what it wrote into them: names, environment, commands, passwords, logs.
 * What the ledger and the machines' owners count on stays.
 */
export async function eraseInstances(tx: Tx, userId: string): Promise<void> {
  const blank = { name: "", description: null, readme: null, login: null, variables: {}, command: null };
  const nothing = { ...blank, url: null, picture: null };
  await tx.$executeRaw`
    UPDATE instance SET name = NULL, message = NULL, docker_password_sealed = NULL, logs = NULL, address = NULL, ui_url = NULL,
      template_snapshot = template_snapshot || ${JSON.stringify(nothing)}::jsonb
    WHERE user_id = ${userId} AND status = 'destroyed'`;
  await tx.instanceLog.deleteMany({ where: { instance: { userId, status: "destroyed" } } });
  await tx.instanceMetric.deleteMany({ where: { instance: { userId, status: "destroyed" } } });
}
