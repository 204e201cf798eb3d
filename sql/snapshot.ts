import { rollupWindowBlocks } from './chain-tables.ts';
import type { Database } from './client.ts';
import type { Snapshot } from './statements.gen.ts';

/**
 * Rows hidden by a new state are not deleted for this time, ms. A request that finishes within this time after it read the
 * state need not check it again.
 */
export const readerGraceMs = 250;

/** A row of chain_state. Numbers are block numbers unless stated otherwise. */
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
  /** Missing blocks below backfilledBefore, lowest first. */
  readonly quarantined: readonly number[];
  readonly reorgGeneration: number;
  readonly rollupThrough: number;
  /** Unix seconds. */
  readonly hourThrough: number;
  /** Unix seconds. */
  readonly dayThrough: number;
  /** Unix milliseconds. */
  readonly updatedAtMs: number;
  /** First finalized block that a node contradicts. Blocks from here on do not count as final. */
  readonly doubtedFrom: number | undefined;
  /** Unix milliseconds; 0 without a contradiction. */
  readonly doubtedSinceMs: number;
  /** Description of the contradiction. */
  readonly doubt: string;
  /** JSON of the reorg whose old branch this state hides; empty once stored in `reorgs`. */
  readonly reorgIntent: string;
}

/** @returns the newest state; undefined before the pipeline's first start */
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
    doubt: decodeText(row.doubt),
    reorgIntent: decodeText(row.reorg_intent),
  };
}

/** readBinary returns a String as hex. */
const decodeText = (hex: string) => Buffer.from(hex.slice(2), 'hex').toString();

export function snapshotParameters(state: ChainState): Record<keyof Snapshot, number> {
  return {
    backfilled_before: state.backfilledBefore,
    follow_from: state.followFrom,
    finalized: state.finalized,
    head: state.head,
  };
}

/** For statements that add live rows to closed rollup windows. */
export function rollupParameters(state: ChainState): Record<keyof Snapshot | 'era_through' | 'era_blocks', number> {
  return { ...snapshotParameters(state), era_through: state.rollupThrough, era_blocks: rollupWindowBlocks };
}

/** Excludes unfinalized blocks, for faster queries (compile/finalized-form.ts). */
export function finalizedPart(state: ChainState): ChainState {
  return state.head === state.finalized ? state : { ...state, head: state.finalized };
}

/** True if every block up to `finalized` is visible, except quarantined ones. */
export function isBackfilled(state: ChainState): boolean {
  return state.backfilledBefore >= state.followFrom;
}

/** Returns the highest final block: `finalized`, or the last block before a contradiction. */
export function finalThrough({ finalized, doubtedFrom }: ChainState): number {
  return doubtedFrom === undefined ? finalized : Math.min(finalized, doubtedFrom - 1);
}

/** Returns the highest reliable block: the head, or the last block before a contradiction. */
export function reliableHead({ head, doubtedFrom }: ChainState): number {
  return doubtedFrom === undefined ? head : Math.min(head, doubtedFrom - 1);
}

/** True for a block that a node contradicts, and its descendants. */
export function isDoubted({ doubtedFrom }: ChainState, block: number): boolean {
  return doubtedFrom !== undefined && block >= doubtedFrom;
}

/** True if no block is missing: visible data then only changes with the reorg generation. */
export function isWhole(state: ChainState): boolean {
  return isBackfilled(state) && state.quarantined.length === 0;
}
