export const STATUS = {
  OK: 0,
  EOF: 1,
  NO_SUCH_FILE: 2,
  PERMISSION_DENIED: 3,
  FAILURE: 4,
  BAD_MESSAGE: 5,
  UNSUPPORTED: 8,
} as const;

/** What a client is told in place of what it asked for. */
export class SftpFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A packet that cannot be read: nothing after it can be trusted. */
export class MalformedPacket extends Error {}

/** Of what a program in the container printed before it failed. Each shell has words of its own for a missing folder. */
export class LaneFailure extends SftpFailure {
  constructor(printed: string) {
    super(statusOf(printed), printed.trim().split("\n").at(-1)?.slice(0, 300) || "Failure");
  }
}

function statusOf(printed: string): number {
  if (/no such file|nonexistent directory|directory nonexistent|not a directory/i.test(printed))
    return STATUS.NO_SUCH_FILE;
  if (/permission denied|operation not permitted/i.test(printed)) return STATUS.PERMISSION_DENIED;
  return STATUS.FAILURE;
}
