import type { Database } from '#sql/client.ts';
import { HeadClaim } from './head-claim.ts';
import { RangeClaims } from './range-claims.ts';
import { Worker, type WorkerDeps } from './worker.ts';

interface Held {
  /** The database, which rejects writes once another process has taken the head claim. */
  readonly database: Database;
  readonly head: HeadClaim;
}

/** Runs `work` while no pipeline can write. Running pipelines wait for it, and then continue by themselves. */
export async function pausePipelines<T>(deps: WorkerDeps, work: (held: Held) => Promise<T>): Promise<T> {
  const worker = new Worker(deps);
  await worker.join();
  try {
    const head = await HeadClaim.seize(deps, worker);
    await new RangeClaims(deps, worker).seize({ fromBlock: 0, toBlock: Number.MAX_SAFE_INTEGER });
    return await work({ head, database: deps.database.fencedBy(head.fence, new AbortController().signal) });
  } finally {
    await worker.leave();
  }
}
