/** Why a backup is not made or not restored, for people: what happened and what to do. Holds no secret. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
