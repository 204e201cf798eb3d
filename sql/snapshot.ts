/** What a reader may see, as one value: bound to every statement that uses the fragment `visible`. */

import { rollupWindowBlocks } from './chain-tables.ts';
import type { Database } from './client.ts';
import type { Snapshot } from './statements.gen.ts';

/**
 * A request that has its rows within this time of asking for the state needs not ask again: rows that a newer state hides
 * stay in place for so long after it was published, ms.
 */
export const readerGraceMs = 250;

/** A row of chain_state. All numbers are block numbers unless said otherwise. */
export interface ChainState {
  readonly version: number;
  readonly startBlock: number;
  readonly backfilledBefore: number;
  readonly followFrom: number;
  readonly finalized: number;
  readonly head: number;
  readonly headHash: string;
  readonly chainHead: number;
  readonly droppedThrough: number;
  /** Blocks that are missing below backfilledBefore, lowest first. */
  readonly quarantined: readonly number[];
  readonly reorgGeneration: number;
  readonly rollupThrough: number;
  /** Unix seconds. */
  readonly hourThrough: number;
  /** Unix seconds. */
  readonly dayThrough: number;
  /** Unix milliseconds. */
  readonly updatedAtMs: number;
  /** First block that a node contradicts although it was settled; undefined: none. Nothing from here on is final. */
  readonly doubtedFrom: number | undefined;
  /** Unix milliseconds; 0 where nothing is doubted. */
  readonly doubtedSinceMs: number;
  /** The contradiction in words; empty where nothing is doubted. */
  readonly doubt: string;
  /** The reorg whose old branch this state hides, as JSON; empty once it is stored in `reorgs`. */
  readonly reorgIntent: string;
}

/** @returns undefined before the pipeline's first start */
export async function readChainState(database: Database): Promise<ChainState | undefined> {
  const [first, ...others] = await database.readBinary('chain_state');
  if (!first) return undefined;
  const row = others.reduce(
    (newest, other) => (Number(other.version) > Number(newest.version) ? other : newest),
    first,
  );
  return {
    version: Number(row.version),
    startBlock: Number(row.start_block),
    backfilledBefore: Number(row.backfilled_before),
    followFrom: Number(row.follow_from),
    finalized: Number(row.finalized),
    head: Number(row.head),
    headHash: row.head_hash,
    chainHead: Number(row.chain_head),
    droppedThrough: Number(row.dropped_through),
    quarantined: row.parked.map(Number),
    reorgGeneration: Number(row.epoch),
    rollupThrough: Number(row.era_through),
    hourThrough: row.hour_through,
    dayThrough: row.day_through,
    updatedAtMs: row.updated_at,
    doubtedFrom: Number(row.doubted_from) || undefined,
    doubtedSinceMs: row.doubted_since,
    doubt: textOf(row.doubt),
    reorgIntent: textOf(row.reorg_intent),
  };
}

/** Strings come as hex. */
const textOf = (hex: string) => Buffer.from(hex.slice(2), 'hex').toString();

/** Parameters of the fragment `visible`. */
export function snapshotParameters(state: ChainState): Record<keyof Snapshot, number> {
  return {
    backfilled_before: state.backfilledBefore,
    follow_from: state.followFrom,
    finalized: state.finalized,
    head: state.head,
  };
}

/** The same with the mark of the closed eras, for statements that add live rows to rollups. */
export function rollupParameters(state: ChainState): Record<keyof Snapshot | 'era_through' | 'era_blocks', number> {
  return { ...snapshotParameters(state), era_through: state.rollupThrough, era_blocks: rollupWindowBlocks };
}

/** The same state without its unsettled blocks: rows that are all settled are found sooner by it, see compile/finalized-form.ts. */
export function finalizedPart(state: ChainState): ChainState {
  return state.head === state.finalized ? state : { ...state, head: state.finalized };
}

/** True when every final block from the start up to `finalized` is visible. */
export function isBackfilled(state: ChainState): boolean {
  return state.backfilledBefore >= state.followFrom;
}

/** Highest block that counts as final: the finalized one, or the one below the first that a node contradicts. */
export function finalThrough({ finalized, doubtedFrom }: ChainState): number {
  return doubtedFrom === undefined ? finalized : Math.min(finalized, doubtedFrom - 1);
}

/** Highest block that the index stands behind: the head, or the one below the first that a node contradicts. */
export function reliableHead({ head, doubtedFrom }: ChainState): number {
  return doubtedFrom === undefined ? head : Math.min(head, doubtedFrom - 1);
}

/** True of a block that a node contradicts, or that stands on one. */
export function isDoubted({ doubtedFrom }: ChainState, block: number): boolean {
  return doubtedFrom !== undefined && block >= doubtedFrom;
}

/** True when no block up to the head is missing: what is visible stays as it is until the epoch changes. */
export function isWhole(state: ChainState): boolean {
  return isBackfilled(state) && state.quarantined.length === 0;
}
