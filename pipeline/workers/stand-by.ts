import { refreshHeads } from '#chain/rpc/watch-heads.ts';
import { pause } from '#runtime/shutdown.ts';
import { joinSignals } from '#runtime/signals.ts';
import { type HelpDeps, helpBackfill } from '../backfill/help-backfill.ts';
import { HeadClaim, livingHolder } from './head-claim.ts';
import type { Worker } from './worker.ts';

const pollMs = 500;

/**
 * Helps to load old blocks until this process gets the head claim (right to follow the chain).
 * @returns undefined when the signal aborted first
 */
export async function standBy(deps: HelpDeps, worker: Worker): Promise<HeadClaim | undefined> {
  while (!deps.signal.aborted) {
    try {
      const head = await HeadClaim.take(deps, worker, deps.signal);
      if (head) return head;
      await helpUntilHeadIsFree(deps, worker);
    } catch (error) {
      if (deps.signal.aborted) return undefined;
      deps.log.warn({ event: 'worker_error', error: String(error) });
    }
    await pause(pollMs * Math.random(), deps.signal); // random, so that waiting workers don't retry at the same time
  }
  return undefined;
}

async function helpUntilHeadIsFree(deps: HelpDeps, worker: Worker): Promise<void> {
  const helped = new AbortController();
  const signal = joinSignals(deps.signal, helped.signal);
  deps.log.info(
    { event: 'standing_by', worker: worker.id },
    'another pipeline follows the chain; this one helps to load old blocks',
  );
  await refreshHeads(deps.client, signal);
  const helping = helpBackfill({ ...deps, signal }, worker);
  try {
    while (!signal.aborted && (await livingHolder(deps, worker.leaseMs, worker.id))) await pause(pollMs, signal);
  } finally {
    helped.abort();
    await helping;
  }
}
