import type { Database } from '#sql/client.ts';
import { HeadClaim, livingHolder } from './head-claim.ts';
import { allBlocks, RangeClaims } from './range-claims.ts';
import { livingWorkers, Worker, type WorkerDeps } from './worker.ts';

export interface PauseDeps extends WorkerDeps {
  /** Time without a heartbeat after which pipelines take over, ms. */
  readonly leaseMs?: number;
}

/**
 * Runs `work` while no pipeline can write. Running pipelines wait for it, and then continue by themselves.
 * @param work gets a database that rejects writes once another process has taken the head claim
 * @throws RangeError while another command does this
 */
export async function pausePipelines<T>(deps: PauseDeps, work: (database: Database) => Promise<T>): Promise<T> {
  const worker = new Worker(deps, deps.leaseMs);
  await worker.join();
  try {
    const holder = await livingHolder(deps, worker.leaseMs);
    if (holder && (await livingWorkers(deps, worker.leaseMs)).get(holder) === 'command')
      throw new RangeError('another command changes this database: wait until it has ended');
    const head = await HeadClaim.seize(deps, worker);
    await new RangeClaims(deps, worker).seize(allBlocks);
    return await work(deps.database.fencedBy(head.fence, new AbortController().signal));
  } finally {
    await worker.leave();
  }
}
