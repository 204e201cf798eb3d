/**
 * Computes rollups: sums per rollup window (2,000 blocks), hour and day, once all blocks of a period are finalized and
 * stored. Repeated sums give the same rows, so a crash is harmless.
 */

import { aborted } from '#runtime/shutdown.ts';
import { rollupTables, rollupWindowBlocks } from '#sql/chain-tables.ts';
import { type ChainState, isBackfilled } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { ClaimLostError, exceedsBudget, StoreError } from '#sql/store-error.ts';
import type { JobDeps, ReportDeps, StoreDeps } from '../deps.ts';
import { deriveMissingFigures } from '../figures/derive-figures.ts';
import type { ChainStateStore } from './chain-state-store.ts';

const maxBlocksAtOnce = 100_000;
const maxWindowsAtOnce = maxBlocksAtOnce / rollupWindowBlocks;
/** How long a failing statement of a step is repeated, ms. */
const stepRetryMs = 60_000;
/** Maximum blocks per step for hours and days: percentiles need every sample in memory. */
const maxBlocksOfTimes = 50_000;
/** New blocks between searches for blocks without figures (the input of charts). */
const searchEvery = 1_000;

/** Statements that sum up a rollup window, in order: holder statements read the balances of the first one. */
const rollupStatements = [
  'close_token_balances',
  'close_holder_ranks',
  'close_holder_counts',
  'close_token_counters',
  'close_account_counters',
] as const;

const bucketSeconds = { '5min': 300, hour: 3_600, day: 86_400 } as const;

/** Statements that sum up figures per 5 minutes, hour and day. `mark`: chain state field that they advance. */
const timeSteps = [
  {
    mark: 'hourThrough',
    seconds: bucketSeconds.hour,
    steps: [
      ['close_new_actors', 'hour'],
      ['close_buckets', '5min'],
      ['close_actors', '5min'],
      ['close_subjects', '5min'],
      ['close_token_holders', '5min'],
      ['close_buckets', 'hour'],
      ['close_actors', 'hour'],
      ['close_subjects', 'hour'],
      ['close_token_holders', 'hour'],
    ],
  },
  {
    mark: 'dayThrough',
    seconds: bucketSeconds.day,
    steps: [
      ['close_buckets', 'day'],
      ['close_actor_days', 'day'],
      ['close_actors', 'day'],
      ['close_subjects', 'day'],
      ['close_token_holders', 'day'],
      ['close_sender_returns', 'day'],
      ['close_sender_days', 'day'],
    ],
  },
] as const;
type TimeStep = (typeof timeSteps)[number];
type TimeWindow = Readonly<Record<'from_block' | 'to_block' | 'base_block' | 'era_blocks' | 'window_day', number>>;

const periods = ['week', 'month', 'year'] as const;

export class Rollups {
  #closing: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #again = false;
  #isEmptied = false;
  #searched: { readonly from: number; readonly through: number } | undefined;
  #reopening = 0;
  /** Halved after a step that needed too much memory or time. */
  #windowsAtOnce = maxWindowsAtOnce;
  #blocksOfTimes = maxBlocksOfTimes;
  readonly deps: Pick<JobDeps, 'database' | 'log' | 'signal'> & ReportDeps;
  readonly store: ChainStateStore;

  constructor(deps: Rollups['deps'], store: ChainStateStore) {
    this.deps = deps;
    this.store = store;
  }

  /** Starts `close` without waiting, unless the pipeline stops. Logs errors; the next call retries. */
  request(): void {
    if (!this.deps.signal.aborted) this.closeOrLog().catch(() => {});
  }

  /** Like `close`, but only logs errors. @throws ClaimLostError */
  closeOrLog(): Promise<void> {
    const { log, signal } = this.deps;
    return this.close().catch((error: unknown) => {
      if (error instanceof ClaimLostError) throw error;
      if (!signal.aborted) log.warn({ event: 'rollup_error', error: String(error) });
    });
  }

  /** Resolves when the signal has aborted and the running statements have ended. */
  async ended(): Promise<void> {
    await aborted(this.deps.signal);
    await this.#last;
  }

  /** Computes all complete periods. Calls during a run cause one more run. */
  close(): Promise<void> {
    if (this.#closing) {
      this.#again = true;
      return this.#closing;
    }
    const { report, signal } = this.deps;
    this.#closing = this.#serialize(() => this.#closeAll())
      .then(
        () => report.noteRun('rollups'),
        (error: unknown) => {
          if (!signal.aborted) report.noteRun('rollups', error);
          throw error;
        },
      )
      .finally(() => {
        this.#closing = undefined;
      });
    return this.#closing;
  }

  /**
   * Runs `lower`, which publishes the reopened marks, then empties the tables: otherwise, old sums would stay beside
   * the new ones. Computes no sums meanwhile.
   */
  async reopen(lower: () => Promise<void>): Promise<void> {
    this.#reopening++; // ends a running computation, whose sums would be dropped
    try {
      await this.#serialize(async () => {
        this.#isEmptied = false;
        await lower();
        await this.#emptyReopened();
      });
    } finally {
      this.#reopening--;
    }
  }

  get #mustStop(): boolean {
    return this.deps.signal.aborted || this.#reopening > 0;
  }

  #serialize(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #closeAll(): Promise<void> {
    do {
      this.#again = false;
      const finalizedTo = finalizedThrough(this.store.state);
      if (finalizedTo === undefined) return;
      await this.#emptyReopened();
      await this.#closeWindows(finalizedTo);
      for (const bucket of timeSteps) await this.#closeTimes(finalizedTo, bucket);
      await this.#deriveFigures(finalizedTo);
    } while (this.#again && !this.#mustStop);
  }

  /** Empties the tables if all marks are reopened: a process may have died between reopening and emptying. */
  async #emptyReopened(): Promise<void> {
    if (this.#isEmptied) return;
    const { state } = this.store;
    const isReopened = Object.entries(reopenedMarks(state)).every(([mark, value]) => state[mark as Mark] === value);
    if (isReopened) await emptyRollups(this.deps);
    this.#isEmptied = true;
  }

  async #closeWindows(finalizedTo: number): Promise<void> {
    for (;;) {
      const from = this.store.state.rollupThrough;
      const end = Math.min(startOfWindow(finalizedTo + 1), from + this.#windowsAtOnce * rollupWindowBlocks);
      if (end <= from || this.#mustStop) return;
      try {
        await this.#storeWindows(from, end - 1);
      } catch (error) {
        if (!(error instanceof StoreError) || !exceedsBudget(error) || this.#windowsAtOnce === 1) throw error;
        this.#windowsAtOnce = Math.floor(this.#windowsAtOnce / 2);
        this.deps.log.warn({ event: 'rollup_step_halved', windows: this.#windowsAtOnce, error: error.message });
        continue;
      }
      await this.store.publish({ rollupThrough: end });
      this.#windowsAtOnce = Math.min(2 * this.#windowsAtOnce, maxWindowsAtOnce);
    }
  }

  async #storeWindows(from: number, to: number): Promise<void> {
    const database = this.deps.database.retryingFor(stepRetryMs);
    const bounds = { era_blocks: rollupWindowBlocks, from_block: from, to_block: to };
    for (const name of rollupStatements) await database.execute(name, bounds);
  }

  async #deriveFigures(finalizedTo: number): Promise<void> {
    const { dayThrough, startBlock } = this.store.state;
    const isDone = this.#searched?.from === startBlock && finalizedTo - this.#searched.through < searchEvery;
    if (isDone) return;
    const row = await this.deps.database.readOne('chart_live_from', { resolution: 'day', through: dayThrough });
    const open = Math.max(Number(row.live_from), startBlock);
    const searched = this.#searched ?? { from: open, through: open - 1 };
    // a worker of an earlier version may still store blocks without figures
    await deriveMissingFigures(this.deps, searched.through + 1, finalizedTo);
    const from = Math.max(searched.from - maxBlocksAtOnce, startBlock);
    if (from < searched.from) await deriveMissingFigures(this.deps, from, searched.from - 1);
    this.#searched = { from, through: finalizedTo };
  }

  async #closeTimes(finalizedTo: number, bucket: TimeStep): Promise<void> {
    const database = this.deps.database.retryingFor(stepRetryMs);
    for (;;) {
      const fromTime = this.store.state[bucket.mark];
      const bounds = await database.readOne('bucket_bounds', {
        from_time: fromTime,
        settled_to: finalizedTo,
        max_blocks: this.#blocksOfTimes,
      });
      const end = bucketEnd(bounds, bucket.seconds);
      if (end === undefined || end <= fromTime || this.#mustStop) return;
      const { last_block } = await database.readOne('last_block_before', { time: end, settled_to: finalizedTo });
      const [from_block, to_block] = [Number(bounds.first_block), Number(last_block)];
      const window = {
        from_block,
        to_block,
        base_block: startOfWindow(from_block),
        era_blocks: rollupWindowBlocks,
        window_day: startOfDay(bounds.first_time),
      };
      const outcome = await this.#storeTimes(bucket, window);
      if (outcome === 'stopped') return;
      if (outcome === 'halved') continue;
      this.#blocksOfTimes = Math.min(2 * this.#blocksOfTimes, maxBlocksOfTimes);
      // from the last closed day: days without blocks may have ended a period
      if (bucket.mark === 'dayThrough') await this.#closePeriods(fromTime || bounds.first_time, end);
      await this.store.publish({ [bucket.mark]: end });
    }
  }

  async #storeTimes({ steps }: TimeStep, window: TimeWindow): Promise<'stored' | 'halved' | 'stopped'> {
    const database = this.deps.database.retryingFor(stepRetryMs);
    await deriveMissingFigures(this.deps, window.from_block, window.to_block);
    if (this.#mustStop) return 'stopped'; // figures may be incomplete
    try {
      for (const [statement, resolution] of steps)
        await database.execute(statement, { resolution, bucket_seconds: bucketSeconds[resolution], ...window });
      return 'stored';
    } catch (error) {
      if (this.#halveTimes(error)) return 'halved';
      throw error;
    }
  }

  /** Halves the blocks per step after it needed too much memory or time. @returns false if it can't be halved */
  #halveTimes(error: unknown): boolean {
    if (!(error instanceof StoreError) || !exceedsBudget(error) || this.#blocksOfTimes === 1) return false;
    this.#blocksOfTimes = Math.ceil(this.#blocksOfTimes / 2);
    this.deps.log.warn({ event: 'rollup_step_halved', blocks: this.#blocksOfTimes, error: error.message });
    return true;
  }

  async #closePeriods(fromTime: number, end: number): Promise<void> {
    const database = this.deps.database.retryingFor(stepRetryMs);
    for (const period of periods) {
      const parameters = { period, from_time: startOfDay(fromTime), end_time: end };
      await database.execute('close_periods', parameters);
      await database.execute('close_actor_periods', parameters);
    }
  }
}

/** Deletes all sums. First publish the reopened marks and a new reorg generation, so that no reader uses them. */
export async function emptyRollups({ database }: StoreDeps): Promise<void> {
  for (const table of rollupTables) await database.execute('empty_table', { table });
}

type Mark = 'rollupThrough' | 'hourThrough' | 'dayThrough';

/** Returns the marks of a store without computed sums. */
export function reopenedMarks(state: ChainState): Pick<ChainState, Mark> {
  return { rollupThrough: state.startBlock - (state.startBlock % rollupWindowBlocks), hourThrough: 0, dayThrough: 0 };
}

/** Returns the last finalized block before the first gap; undefined if none. */
export function finalizedThrough(state: ChainState): number | undefined {
  if (isBackfilled(state)) return state.finalized;
  return state.backfilledBefore > state.startBlock ? Math.min(state.backfilledBefore - 1, state.finalized) : undefined;
}

const startOfWindow = (block: number) => Math.floor(block / rollupWindowBlocks) * rollupWindowBlocks;

const startOfDay = (time: number) => time - (time % bucketSeconds.day);

function bucketEnd(bounds: RowOf<'bucket_bounds'>, seconds: number): number | undefined {
  const { first_time, chunk_time, settled_time } = bounds;
  const floor = (time: number) => Math.floor(time / seconds) * seconds;
  const end = Math.max(floor(chunk_time), floor(first_time) + seconds);
  return end <= floor(settled_time ?? 0) ? end : undefined;
}
