import type { Database } from '#sql/client.ts';
import { HeadClaim, livingHolder } from './head-claim.ts';
import { allBlocks, RangeClaims } from './range-claims.ts';
import { Worker, type WorkerDeps, type WorkerSettings } from './worker.ts';

export interface PauseDeps extends WorkerDeps, Pick<WorkerSettings, 'leaseMs'> {}

/** @param database rejects writes once another process has taken the head claim */
type Work<T> = (database: Database) => Promise<T>;

/**
 * Runs `work` while no pipeline can write. Running pipelines wait, then continue by themselves.
 * @throws RangeError while another command does this
 */
export const pausePipelines = <T>(deps: PauseDeps, work: Work<T>): Promise<T> =>
  holdChain(
    deps,
    async (worker) => {
      if ((await livingHolder(deps, worker.leaseMs)) === 'command')
        throw new RangeError('another command changes this database: wait until it has ended');
      return HeadClaim.seize(deps, worker);
    },
    work,
  );

/**
 * Runs `work` if no pipeline runs, and prevents pipelines from starting meanwhile. @throws RangeError while one runs
 */
export const withoutPipelines = <T>(deps: PauseDeps, work: Work<T>): Promise<T> =>
  holdChain(
    deps,
    async (worker) => {
      const head = await HeadClaim.take(deps, worker);
      if (!head) throw new RangeError('a pipeline runs on this database: stop all pipelines first');
      return head;
    },
    work,
  );

async function holdChain<T>(deps: PauseDeps, claim: (worker: Worker) => Promise<HeadClaim>, work: Work<T>): Promise<T> {
  const worker = new Worker(deps, deps.leaseMs);
  await worker.join();
  try {
    const head = await claim(worker);
    await new RangeClaims(deps, worker).seize(allBlocks);
    return await work(deps.database.fencedBy(head.fence, new AbortController().signal));
  } finally {
    await worker.leave();
  }
}
