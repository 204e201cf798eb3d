/** Runs background jobs once all old blocks are stored. */
import cron from 'node-cron';
import { pause } from '#runtime/shutdown.ts';
import { isBackfilled } from '#sql/snapshot.ts';
import type { PipelineDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { refreshBalances, refreshWithdrawals } from './account-balances.ts';
import { storeCheckpoints } from './coin-checkpoints.ts';
import { refreshCodes } from './contract-codes.ts';
import { refreshKnots } from './derive-knots.ts';
import { embedShapes } from './embed-shapes.ts';
import { refreshNftMetadata } from './nft-metadata.ts';
import { redoBlocks } from './redo-blocks.ts';
import { selfAudit } from './self-audit.ts';
import { refreshTokenMetadata } from './token-metadata.ts';

const defaultEveryMs = 3_000;
/** Rounds that an idle job skips, unless the chain state changes or another job finds work. */
const restRounds = 5;
const defaultSelfAudit = '13 * * * *';

type Job = (deps: PipelineDeps, store: ChainStateStore) => Promise<number | boolean>;

export async function runJobs(deps: PipelineDeps, store: ChainStateStore): Promise<void> {
  const schedule = deps.settings.selfAuditSchedule ?? defaultSelfAudit;
  const scheduled = onSchedule(schedule, () => selfAudit(deps, store));
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

async function runRounds(deps: PipelineDeps, store: ChainStateStore, jobs: Record<string, Job>): Promise<void> {
  const { signal, settings } = deps;
  const everyMs = settings.jobsEveryMs ?? defaultEveryMs;
  const resting = new Resting(restRounds);
  while (!signal.aborted) {
    await pause(everyMs, signal);
    if (signal.aborted || !isBackfilled(store.state) || store.state.doubtedFrom !== undefined) continue;
    resting.beginRound(store.state.version);
    for (const [name, job] of Object.entries(jobs)) {
      if (resting.has(name)) continue;
      const run = async () => resting.note(name, await job(deps, store));
      await (deps.metrics?.timed(name, run) ?? run()).catch((error: unknown) => {
        if (!signal.aborted) deps.log.warn({ event: 'job_fault', job: name, error: String(error) });
      });
    }
  }
}

class Resting {
  readonly #rounds = new Map<string, number>();
  #version = -1;
  readonly rounds: number;

  constructor(rounds: number) {
    this.rounds = rounds;
  }

  beginRound(version: number): void {
    if (version !== this.#version) this.#rounds.clear();
    this.#version = version;
    for (const [name, left] of this.#rounds) {
      if (left > 1) this.#rounds.set(name, left - 1);
      else this.#rounds.delete(name);
    }
  }

  has(name: string): boolean {
    return this.#rounds.has(name);
  }

  note(name: string, found: number | boolean): void {
    if (found) this.#rounds.clear();
    else this.#rounds.set(name, this.rounds);
  }
}

/** Runs work at startup and on a schedule, and retries failed work in the next round. @param expression cron, UTC */
function onSchedule(expression: string, work: () => Promise<void>) {
  let isDue = true;
  const setDue = () => {
    isDue = true;
  };
  const task = cron.schedule(expression, setDue, { timezone: 'UTC' });
  return {
    runWhenDue: async () => {
      if (!isDue) return false;
      await work();
      isDue = false;
      return false;
    },
    stop: () => void task.destroy(),
  };
}
