/**
 * Closes buckets: computes the figures of eras, hours and days whose blocks are all final and complete, then moves the
 * mark in chain_state that tells readers up to where the rollup counts. A bucket gives the same rows each time it is
 * computed, so a crash anywhere only means computing it again.
 */

import { eraBlocks, grownTables } from '#sql/chain-tables.ts';
import { type ChainState, isBackfilled } from '#sql/snapshot.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement } from '#sql/statements.ts';
import type { PipelineDeps } from '../deps.ts';
import { deriveMissingFigures } from '../figures/derive-figures.ts';
import type { ChainStateStore } from './chain-state-store.ts';

/** Blocks of one computation: bounds its memory. */
const maxBlocksAtOnce = 100_000;

/** In this order: ranks and counts of holders read the balances that the first one writes. */
const eraStatements = [
  'close_token_balances',
  'close_holder_ranks',
  'close_holder_counts',
  'close_token_counters',
  'close_account_counters',
] as const;

interface Step {
  readonly statement: StatementName;
  readonly resolution?: string;
  readonly bucket_seconds?: number;
}

/** What is written when hours and when days are closed, in this order; each mark stands for all of its steps. */
const timeSteps = [
  {
    mark: 'hourThrough',
    seconds: 3_600,
    steps: [
      { statement: 'close_new_actors' },
      { statement: 'close_buckets', resolution: '5min', bucket_seconds: 300 },
      { statement: 'close_actors', resolution: '5min', bucket_seconds: 300 },
      { statement: 'close_subjects', resolution: '5min', bucket_seconds: 300 },
      { statement: 'close_token_holders', resolution: '5min', bucket_seconds: 300 },
      { statement: 'close_buckets', resolution: 'hour', bucket_seconds: 3_600 },
      { statement: 'close_actors', resolution: 'hour', bucket_seconds: 3_600 },
      { statement: 'close_subjects', resolution: 'hour', bucket_seconds: 3_600 },
      { statement: 'close_token_holders', resolution: 'hour', bucket_seconds: 3_600 },
    ] as Step[],
  },
  {
    mark: 'dayThrough',
    seconds: 86_400,
    steps: [
      { statement: 'close_buckets', resolution: 'day', bucket_seconds: 86_400 },
      { statement: 'close_actor_days', bucket_seconds: 86_400 },
      { statement: 'close_actors', resolution: 'day', bucket_seconds: 86_400 },
      { statement: 'close_subjects', resolution: 'day', bucket_seconds: 86_400 },
      { statement: 'close_token_holders', resolution: 'day', bucket_seconds: 86_400 },
      { statement: 'close_sender_returns' },
      { statement: 'close_sender_days' },
    ] as Step[],
  },
] as const;

/** Computed from closed days alone. */
const periods = ['week', 'month', 'year'] as const;

export class Rollups {
  #closing: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #again = false;
  readonly deps: PipelineDeps;
  readonly store: ChainStateStore;

  constructor(deps: PipelineDeps, store: ChainStateStore) {
    this.deps = deps;
    this.store = store;
  }

  /** Closes what can be closed; calls while one runs are joined into one more run. */
  close(): Promise<void> {
    if (this.#closing) {
      this.#again = true;
      return this.#closing;
    }
    this.#closing = this.#alone(() => this.#closeAll()).finally(() => {
      this.#closing = undefined;
    });
    return this.#closing;
  }

  /** Lowers marks, then empties the tables that grew on what lies above them; nothing is closed meanwhile. */
  reopen(lower: () => Promise<void>): Promise<void> {
    return this.#alone(async () => {
      await lower();
      await emptyGrownRollups(this.deps);
    });
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #closeAll(): Promise<void> {
    do {
      this.#again = false;
      const settledTo = settledThrough(this.store.state);
      if (settledTo === undefined) return;
      await this.#closeEras(settledTo);
      for (const bucket of timeSteps) await this.#closeTimes(settledTo, bucket);
    } while (this.#again && !this.deps.signal.aborted);
  }

  async #closeEras(settledTo: number): Promise<void> {
    for (;;) {
      const from = this.store.state.eraThrough;
      const end = Math.min(wholeEras(settledTo + 1), from + maxBlocksAtOnce);
      if (end <= from || this.deps.signal.aborted) return;
      const bounds = { era_blocks: eraBlocks, from_block: from, to_block: end - 1 };
      for (const name of eraStatements) {
        await this.deps.database.execute(getStatement(this.deps.statements, name), bounds);
      }
      await this.store.publish({ eraThrough: end });
    }
  }

  async #closeTimes(settledTo: number, bucket: (typeof timeSteps)[number]): Promise<void> {
    const { database, statements, signal } = this.deps;
    for (;;) {
      const fromTime = this.store.state[bucket.mark];
      const [bounds] = await database.read<Record<string, string | number>>(getStatement(statements, 'bucket_bounds'), {
        from_time: fromTime,
        settled_to: settledTo,
        max_blocks: maxBlocksAtOnce,
      });
      const end = bucketEnd(bounds, bucket.seconds);
      if (bounds === undefined || end === undefined || end <= fromTime || signal.aborted) return;
      const [last] = await database.read<{ last_block: string }>(getStatement(statements, 'last_block_before'), {
        time: end,
        settled_to: settledTo,
      });
      const window = {
        from_block: String(bounds.first_block),
        to_block: String(last!.last_block),
        base_block: wholeEras(Number(bounds.first_block)),
        era_blocks: eraBlocks,
        window_day: Math.floor(Number(bounds.first_time) / 86_400) * 86_400,
      };
      await deriveMissingFigures(this.deps, Number(bounds.first_block), Number(last!.last_block));
      for (const { statement, ...parameters } of bucket.steps)
        await database.execute(getStatement(statements, statement), { ...parameters, ...window });
      if (bucket.mark === 'dayThrough') await this.#closePeriods(Number(bounds.first_time), end);
      await this.store.publish({ [bucket.mark]: end });
    }
  }

  /** Weeks, months and years that ended with the days just closed. */
  async #closePeriods(fromTime: number, end: number): Promise<void> {
    const { database, statements } = this.deps;
    for (const period of periods) {
      const parameters = { period, from_time: fromTime - (fromTime % 86_400), end_time: end };
      await database.execute(getStatement(statements, 'close_periods'), parameters);
      await database.execute(getStatement(statements, 'close_actor_periods'), parameters);
    }
  }
}

/** Rows of these tables depend on all history below them: after a change of it they are made anew from the start. */
export async function emptyGrownRollups({ database, statements }: Pick<PipelineDeps, 'database' | 'statements'>) {
  const statement = getStatement(statements, 'empty_table');
  for (const table of grownTables) await database.execute(statement, { table });
}

/** Marks of a state whose rollups are all to be made anew. */
export function reopenedMarks(state: ChainState): Pick<ChainState, 'eraThrough' | 'hourThrough' | 'dayThrough'> {
  return { eraThrough: state.startBlock - (state.startBlock % eraBlocks), hourThrough: 0, dayThrough: 0 };
}

/** Last block up to which everything from the start is final and complete; undefined: not even the first. */
export function settledThrough(state: ChainState): number | undefined {
  if (isBackfilled(state)) return state.finalized;
  return state.backfilledBefore > state.startBlock ? Math.min(state.backfilledBefore - 1, state.finalized) : undefined;
}

const wholeEras = (block: number) => Math.floor(block / eraBlocks) * eraBlocks;

/** End of the last whole bucket within the chunk, or of the first bucket where a chunk is shorter; undefined: none is closed. */
function bucketEnd(bounds: Record<string, string | number> | undefined, seconds: number): number | undefined {
  const [firstTime, chunkTime, settledTime] = ['first_time', 'chunk_time', 'settled_time'].map((name) =>
    Number(bounds?.[name] ?? 0),
  );
  const floor = (time: number) => Math.floor(time / seconds) * seconds;
  const end = Math.max(floor(chunkTime!), floor(firstTime!) + seconds);
  return firstTime! > 0 && end <= floor(settledTime!) ? end : undefined;
}
