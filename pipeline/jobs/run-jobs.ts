/** Runs background jobs once all old blocks are stored. */
import cron from 'node-cron';
import { pause } from '#runtime/shutdown.ts';
import { isBackfilled } from '#sql/snapshot.ts';
import type { JobDeps, MetricsDeps, ReportDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { refreshBalances, refreshWithdrawals } from './account-balances.ts';
import { storeCheckpoints } from './coin-checkpoints.ts';
import { refreshCodes } from './contract-codes.ts';
import { refreshKnots } from './derive-knots.ts';
import { type EmbedDeps, embedShapes } from './embed-shapes.ts';
import { JobRounds } from './job-rounds.ts';
import type { JobSettings } from './job-settings.ts';
import { refreshNftMetadata } from './nft-metadata.ts';
import { redoBlocks } from './redo-blocks.ts';
import { selfAudit } from './self-audit.ts';
import { refreshTokenMetadata } from './token-metadata.ts';

const defaultEveryMs = 3_000;
/** How long a failing statement of a job is repeated before the job fails, ms. */
const retryMs = 60_000;
/** Cron schedule of the checks on /status/audit, UTC. */
const selfAuditSchedule = '13 * * * *';

interface Deps extends JobDeps, EmbedDeps, ReportDeps, MetricsDeps {
  readonly settings: JobSettings;
}

type Job = (deps: Deps, store: ChainStateStore) => Promise<number | boolean>;

export async function runJobs(deps: Deps, store: ChainStateStore): Promise<void> {
  const scheduled = onSchedule(selfAuditSchedule, () => selfAudit(deps, store));
  const jobs = {
    refreshTokenMetadata,
    refreshKnots,
    refreshBalances,
    refreshWithdrawals,
    storeCheckpoints,
    refreshCodes,
    redoBlocks,
    embedShapes,
    selfAudit: scheduled.runWhenDue,
  };
  // separate rounds, because hosts of NFT metadata may be slow
  await Promise.all([runRounds(deps, store, jobs), runRounds(deps, store, { refreshNftMetadata })]);
  scheduled.stop();
}

async function runRounds(whole: Deps, store: ChainStateStore, jobs: Record<string, Job>): Promise<void> {
  // a failing statement must not block other jobs forever
  const deps = { ...whole, database: whole.database.retryingFor(retryMs) };
  const { signal, settings, log, report, metrics } = deps;
  const rounds = new JobRounds();
  while (!signal.aborted) {
    await pause(settings.jobsEveryMs ?? defaultEveryMs, signal);
    if (signal.aborted || !isBackfilled(store.state) || store.state.doubtedFrom !== undefined) continue;
    const { finalized, reorgGeneration, backfilledBefore } = store.state;
    rounds.begin(`${finalized} ${reorgGeneration} ${backfilledBefore}`);
    for (const [name, job] of Object.entries(jobs)) {
      if (rounds.isSkipped(name)) continue;
      const run = async () => {
        rounds.noteDone(name, await job(deps, store));
        report.noteRun(name);
      };
      await metrics.timed(name, run).catch((error: unknown) => {
        if (signal.aborted) return;
        const rest = rounds.noteFailed(name);
        report.noteRun(name, error);
        log.warn({ event: 'job_error', job: name, error: String(error), retry_in_rounds: rest });
      });
    }
  }
}

/**
 * Runs work at startup and on a schedule. If it fails or returns false, retries in the next round.
 * @param expression cron, UTC
 */
function onSchedule(expression: string, work: () => Promise<boolean>) {
  let isDue = true;
  const setDue = () => {
    isDue = true;
  };
  const task = cron.schedule(expression, setDue, { timezone: 'UTC' });
  return {
    runWhenDue: async () => {
      if (!isDue) return false;
      isDue = !(await work());
      return isDue;
    },
    stop: () => void task.destroy(),
  };
}
