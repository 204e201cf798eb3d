/**
 * Closes buckets: computes the figures of eras, hours and days whose blocks are all final and complete, then moves the
 * mark in chain_state that tells readers up to where the rollup counts. A bucket gives the same rows each time it is
 * computed, so a crash anywhere only means computing it again.
 */
import { eraBlocks } from '#sql/chain-tables.ts';
import { type ChainState, isBackfilled } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { PipelineDeps } from '../deps.ts';
import type { ChainStateStore } from './chain-state-store.ts';

/** Blocks of one computation: bounds its memory. */
const maxBlocksAtOnce = 100_000;

const timeBuckets = [
  { statement: 'close_hours', mark: 'hourThrough', seconds: 3_600 },
  { statement: 'close_days', mark: 'dayThrough', seconds: 86_400 },
] as const;

export class Rollups {
  #running: Promise<void> | undefined;
  #again = false;

  constructor(
    readonly deps: PipelineDeps,
    readonly store: ChainStateStore,
  ) {}

  /** Closes what can be closed; calls while one runs are joined into one more run. */
  close(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#closeAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #closeAll(): Promise<void> {
    do {
      this.#again = false;
      const settledTo = settledThrough(this.store.state);
      if (settledTo === undefined) return;
      await this.#closeEras(settledTo);
      for (const bucket of timeBuckets) await this.#closeTimes(settledTo, bucket);
    } while (this.#again && !this.deps.signal.aborted);
  }

  async #closeEras(settledTo: number): Promise<void> {
    for (;;) {
      const from = this.store.state.eraThrough;
      const end = Math.min(wholeEras(settledTo + 1), from + maxBlocksAtOnce);
      if (end <= from || this.deps.signal.aborted) return;
      const bounds = { era_blocks: eraBlocks, from_block: from, to_block: end - 1 };
      for (const name of ['close_token_balances', 'close_account_counters']) {
        await this.deps.database.execute(getStatement(this.deps.statements, name), bounds);
      }
      await this.store.publish({ eraThrough: end });
    }
  }

  async #closeTimes(settledTo: number, bucket: (typeof timeBuckets)[number]): Promise<void> {
    const { database, statements, signal } = this.deps;
    for (;;) {
      const fromTime = this.store.state[bucket.mark];
      const [bounds] = await database.read<Record<string, string | number>>(getStatement(statements, 'bucket_bounds'), {
        ...{ from_time: fromTime, settled_to: settledTo, max_blocks: maxBlocksAtOnce },
      });
      const end = bucketEnd(bounds, bucket.seconds);
      if (bounds === undefined || end === undefined || end <= fromTime || signal.aborted) return;
      const [last] = await database.read<{ last_block: string }>(getStatement(statements, 'last_block_before'), {
        ...{ time: end, settled_to: settledTo },
      });
      await database.execute(getStatement(statements, bucket.statement), {
        ...{
          bucket_seconds: bucket.seconds,
          from_block: String(bounds.first_block),
          to_block: String(last!.last_block),
        },
      });
      await this.store.publish({ [bucket.mark]: end });
    }
  }
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
