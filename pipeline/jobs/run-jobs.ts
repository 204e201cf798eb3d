/** Work beside the main way: token metadata and native balances, step after step once history is complete. */
import { pause } from '#runtime/shutdown.ts';
import { isBackfilled } from '#sql/snapshot.ts';
import type { PipelineDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { refreshBalances } from './account-balances.ts';
import { refreshTokenMetadata } from './token-metadata.ts';

const defaultEveryMs = 3_000;

/** Runs until the signal fires; a fault is logged and the step tried again later. */
export async function runJobs(deps: PipelineDeps, store: ChainStateStore): Promise<void> {
  const { signal, settings } = deps;
  const everyMs = settings.jobsEveryMs ?? defaultEveryMs;
  const jobs = { refreshTokenMetadata, refreshBalances };
  while (!signal.aborted) {
    await pause(everyMs, signal);
    if (signal.aborted || !isBackfilled(store.state)) continue;
    for (const [name, job] of Object.entries(jobs)) {
      await job(deps, store).catch((error: unknown) => {
        if (!signal.aborted) deps.log.warn({ event: 'job_fault', job: name, error: String(error) });
      });
    }
  }
}
