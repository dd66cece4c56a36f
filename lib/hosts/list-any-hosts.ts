import { db, type Prisma } from "../db/client";
import { containing } from "../db/containing";

const select = {
  id: true,
  runtime: true,
  agentId: true,
  address: true,
  status: true,
  statusReason: true,
  verifiedAt: true,
  bannedAt: true,
  lastReportAt: true,
  user: { select: { id: true, email: true } },
  offer: { select: { id: true, gpuTranslitName: true, gpuName: true, gpuAmount: true, leased: true } },
} satisfies Prisma.HostSelect;

/** A host with what its machine's agent says is wrong. */
export interface AnyHost extends Prisma.HostGetPayload<{ select: typeof select }> {
  problem: string | null;
}

/**
 * Everyone's hosts that are not deleted, for operators; the newest first. `search` is a part of a host's id, address or
 * GPU, or its owner's e-mail address.
 */
export async function listAnyHosts(page: {
  search?: string | undefined;
  status?: string | undefined;
  start: number;
  limit: number;
}): Promise<{ items: AnyHost[]; total: number }> {
  const part = page.search === undefined ? null : containing(page.search);
  const where = {
    deletedAt: null,
    ...(page.status !== undefined && { status: page.status }),
    ...(part && {
      OR: [{ id: part }, { address: part }, { user: { email: part } }, { offer: { gpuName: part } }],
    }),
  } satisfies Prisma.HostWhereInput;
  const [rows, total] = await Promise.all([
    db().host.findMany({
      where,
      select,
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      skip: page.start,
      take: page.limit,
    }),
    db().host.count({ where }),
  ]);
  const problems = await readProblems(rows.flatMap(({ agentId }) => agentId ?? []));
  return { items: rows.map((row) => ({ ...row, problem: problems.get(row.agentId) ?? null })), total };
}

async function readProblems(agentIds: string[]): Promise<Map<string | null, string | null>> {
  const rows = await db().$queryRaw<{ id: string; problem: string | null }[]>`
    SELECT id, coalesce(failures -> 0 ->> 'detail', reach_problem) AS problem FROM agent WHERE id = ANY(${agentIds})`;
  return new Map(rows.map(({ id, problem }) => [id, problem]));
}
