/** Work beside the main way, once history is complete: token metadata, native balances, and checks by schedule. */
import cron from 'node-cron';
import { pause } from '#runtime/shutdown.ts';
import { isBackfilled } from '#sql/snapshot.ts';
import type { PipelineDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { refreshBalances } from './account-balances.ts';
import { refreshKnots } from './derive-knots.ts';
import { embedShapes } from './embed-shapes.ts';
import { selfAudit } from './self-audit.ts';
import { refreshTokenMetadata } from './token-metadata.ts';

const defaultEveryMs = 3_000;
const defaultSelfAudit = '13 * * * *';

/** Runs until the signal fires; a fault is logged and the step tried again later. */
export async function runJobs(deps: PipelineDeps, store: ChainStateStore): Promise<void> {
  const { signal, settings } = deps;
  const everyMs = settings.jobsEveryMs ?? defaultEveryMs;
  const scheduled = onSchedule(settings.selfAuditSchedule ?? defaultSelfAudit, () => selfAudit(deps, store));
  const jobs = { refreshTokenMetadata, refreshKnots, refreshBalances, embedShapes, selfAudit: scheduled.runWhenDue };
  while (!signal.aborted) {
    await pause(everyMs, signal);
    if (signal.aborted || !isBackfilled(store.state)) continue;
    for (const [name, job] of Object.entries(jobs)) {
      const run = async () => job(deps, store);
      await (deps.metrics?.timed(name, run) ?? run()).catch((error: unknown) => {
        if (!signal.aborted) deps.log.warn({ event: 'job_fault', job: name, error: String(error) });
      });
    }
  }
  scheduled.stop();
}

/** Work that is due at once and then by the clock; what fails stays due. @param expression of cron, UTC */
function onSchedule(expression: string, work: () => Promise<void>) {
  let isDue = true;
  const setDue = () => {
    isDue = true;
  };
  const task = cron.schedule(expression, setDue, { timezone: 'UTC' });
  return {
    runWhenDue: async () => {
      if (!isDue) return;
      await work();
      isDue = false;
    },
    stop: () => void task.destroy(),
  };
}
