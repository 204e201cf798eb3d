/** Stores finalized blocks again as final rows. Deletes their unfinalized rows when no request can still read them. */
import { InvalidChainData } from '#chain/errors.ts';
import type { Interval } from '#chain/intervals.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { groupBy } from '#runtime/lists.ts';
import { getPartition } from '#sql/chain-tables.ts';
import type { BackfillSettings, FetchSettings } from '../backfill/backfill-settings.ts';
import type { FetchAhead } from '../backfill/fetch-ahead.ts';
import { dropUnlinkedFromCache, storeStretch } from '../backfill/store-stretch.ts';
import type { CacheDeps, JobDeps, MetricsDeps, ReportDeps } from '../deps.ts';
import { encodeRange, type RangeSummary } from '../encode/range-rows.ts';
import type { ChainSettings } from '../identity.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { insertRange } from '../store/insert-rows.ts';
import type { Journal } from '../store/journal.ts';
import { removeUnfinalized } from '../store/remove-blocks.ts';
import type { Rollups } from '../store/rollups.ts';
import { attachTraces } from '../traces/attach-traces.ts';
import { majorityHash, reportMinority } from './finalized-comparison.ts';
import type { FollowSettings } from './follow-settings.ts';

export interface FollowDeps extends JobDeps, CacheDeps, ReportDeps, MetricsDeps {
  readonly settings: FollowSettings &
    FetchSettings &
    Pick<BackfillSettings, 'insertTargetRows'> &
    Pick<ChainSettings, 'startBlock'>;
}

export interface FinalizeParts {
  readonly deps: FollowDeps;
  readonly store: ChainStateStore;
  readonly journal: Journal;
  readonly source: FetchAhead;
  readonly rollups: Rollups;
}

const graceMs = 15_000;

export class Finalizer {
  #drops: { readonly through: number; readonly at: number }[] = [];
  readonly parts: FinalizeParts;

  constructor(parts: FinalizeParts) {
    this.parts = parts;
  }

  async finalize(bundles: readonly BlockBundle[]): Promise<void> {
    const { deps, journal } = this.parts;
    for (const part of groupBy(bundles, ({ block }) => getPartition(Number(block.number))).values()) {
      const rows = encodeRange(await attachTraces(deps, part), 1);
      await insertRange(deps.database, journal, rows);
      await this.#raise(rows.summary);
    }
  }

  /**
   * Fetches blocks again and finalizes them. Stops early when the signal aborts.
   * @param followed returns the hash of a followed block: the node must return the same block
   * @param onRaise called each time that some blocks became final
   * @throws Error if not all became final
   */
  async finalizeFromNode(
    { fromBlock, toBlock }: Interval,
    followed: (block: number) => string | undefined,
    onRaise = () => {},
  ): Promise<void> {
    const { deps, journal, source } = this.parts;
    const done = new Map<number, RangeSummary>();
    await storeStretch(
      { fromBlock, toBlock },
      {
        deps,
        journal,
        source,
        knownHash: async (block) => followed(block) ?? majorityHash(deps, block),
        onRange: async (range) => {
          done.set(range.fromBlock, range);
          for (;;) {
            const next = done.get(this.parts.store.state.finalized + 1);
            if (!next) return;
            done.delete(next.fromBlock);
            await this.#raise(next);
            onRaise();
          }
        },
        onQuarantined: ({ quarantined, reason }) =>
          Promise.reject(new Error(`block ${quarantined} can't be finalized: ${reason}`)),
      },
    ).catch(async (error: unknown) => {
      await dropUnlinkedFromCache(deps, error);
      if (error instanceof InvalidChainData) await reportMinority(deps, error.blockNumber);
      throw error;
    });
    const { finalized } = this.parts.store.state;
    if (finalized < toBlock && !deps.signal.aborted)
      throw new Error(
        `blocks ${finalized + 1} to ${toBlock} were not finalized, because block ${finalized + 1} is missing`,
      );
  }

  /** Shortens the journal. After `graceMs`, deletes unfinalized rows of finalized blocks. */
  async cleanUp(now = Date.now()): Promise<void> {
    await this.parts.journal.joinRanges(this.parts.store.state.finalized);
    const due = this.#drops.filter((drop) => now - drop.at >= graceMs).at(-1);
    if (!due) return;
    this.#drops = this.#drops.filter((drop) => drop.through > due.through);
    await this.parts.store.publish({ droppedThrough: due.through });
    await removeUnfinalized(this.parts.deps, (block) => block <= due.through);
  }

  /** @throws Error if earlier blocks are not final: readers would take them for empty blocks */
  async #raise({ fromBlock, toBlock, lastHash }: RangeSummary): Promise<void> {
    const { store, rollups } = this.parts;
    const { finalized } = store.state;
    if (fromBlock > finalized + 1) throw new Error(`blocks ${finalized + 1} to ${fromBlock - 1} are not final yet`);
    await store.publish((state) => ({
      finalized: toBlock,
      ...(state.head < toBlock ? { head: toBlock, headHash: lastHash } : {}),
    }));
    this.#drops.push({ through: toBlock, at: Date.now() });
    rollups.request();
  }
}
