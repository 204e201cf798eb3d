import { rollupWindowBlocks } from './chain-tables.ts';
import type { Database } from './client.ts';
import type { Snapshot } from './statements.gen.ts';

/** How long rows stay after the pipeline has hidden them from readers, ms. */
export const readerGraceMs = 250;

/** Indexing progress. Numbers are block numbers unless stated otherwise. */
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
  /** Blocks below backfilledBefore that are missing because no node returned valid data, lowest first. */
  readonly quarantined: readonly number[];
  readonly reorgGeneration: number;
  readonly rollupThrough: number;
  /** End of the hours with stored chart figures, Unix seconds. */
  readonly hourThrough: number;
  /** End of the days with stored chart figures, Unix seconds. */
  readonly dayThrough: number;
  /** Time when the pipeline wrote this state, Unix milliseconds. */
  readonly updatedAtMs: number;
  /** First finalized block that a node contradicts. This block and all later ones do not count as final. */
  readonly doubtedFrom: number | undefined;
  /** Time when the contradiction was found, Unix milliseconds; 0 if no node contradicts. */
  readonly doubtedSinceMs: number;
  readonly doubt: string;
  /** Reorg (JSON) whose removed blocks this state hides, until the reorg is stored in the table `reorgs`. */
  readonly reorgIntent: string;
}

/** Reads the newest state. @returns undefined before the first start of the pipeline */
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

const decodeText = (hex: string) => Buffer.from(hex.slice(2), 'hex').toString();

export function snapshotParameters(state: ChainState): Record<keyof Snapshot, number> {
  return {
    backfilled_before: state.backfilledBefore,
    follow_from: state.followFrom,
    finalized: state.finalized,
    head: state.head,
  };
}

/** Returns parameters of statements that add the rows of newer blocks to the stored totals of rollup windows. */
export function rollupParameters(state: ChainState): Record<keyof Snapshot | 'era_through' | 'era_blocks', number> {
  return { ...snapshotParameters(state), era_through: state.rollupThrough, era_blocks: rollupWindowBlocks };
}

/** Returns a state that ends at the finalized block, for which queries are faster. */
export function finalizedPart(state: ChainState): ChainState {
  return state.head === state.finalized ? state : { ...state, head: state.finalized };
}

/** Says whether all blocks below the head are stored, except those for which no node had valid data. */
export function isBackfilled(state: ChainState): boolean {
  return state.backfilledBefore >= state.followFrom;
}

/** Returns the last finalized block, or the last block before one that a node contradicts. */
export function finalThrough({ finalized, doubtedFrom }: ChainState): number {
  return doubtedFrom === undefined ? finalized : Math.min(finalized, doubtedFrom - 1);
}

/** Returns the head of the chain, or the last block before one that a node contradicts. */
export function reliableHead({ head, doubtedFrom }: ChainState): number {
  return doubtedFrom === undefined ? head : Math.min(head, doubtedFrom - 1);
}

export function isDoubted({ doubtedFrom }: ChainState, block: number): boolean {
  return doubtedFrom !== undefined && block >= doubtedFrom;
}

/** True if no block is missing. Data that readers have seen then changes only when a reorg removes blocks. */
export function isWhole(state: ChainState): boolean {
  return isBackfilled(state) && state.quarantined.length === 0;
}
