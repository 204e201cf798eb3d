import { rollupWindowBlocks } from './chain-tables.ts';
import type { Database } from './client.ts';
import type { Snapshot } from './statements.gen.ts';

/** ms that hidden rows stay. A request that ends within this time after it read the state need not check it again. */
export const readerGraceMs = 250;

/** Block numbers unless stated otherwise. */
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
  /** First finalized block that a node contradicts; not final from here on. */
  readonly doubtedFrom: number | undefined;
  /** Unix milliseconds; 0: none. */
  readonly doubtedSinceMs: number;
  readonly doubt: string;
  /** Reorg (JSON) whose old branch this state hides; empty once stored in `reorgs`. */
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

/** They add live rows to closed rollup windows. */
export function rollupParameters(state: ChainState): Record<keyof Snapshot | 'era_through' | 'era_blocks', number> {
  return { ...snapshotParameters(state), era_through: state.rollupThrough, era_blocks: rollupWindowBlocks };
}

/** Speeds up queries (compile/finalized-form.ts). */
export function finalizedPart(state: ChainState): ChainState {
  return state.head === state.finalized ? state : { ...state, head: state.finalized };
}

/** Quarantined blocks may be missing. */
export function isBackfilled(state: ChainState): boolean {
  return state.backfilledBefore >= state.followFrom;
}

/** `finalized`, or the last block before a contradiction. */
export function finalThrough({ finalized, doubtedFrom }: ChainState): number {
  return doubtedFrom === undefined ? finalized : Math.min(finalized, doubtedFrom - 1);
}

/** The head, or the last block before a contradiction. */
export function reliableHead({ head, doubtedFrom }: ChainState): number {
  return doubtedFrom === undefined ? head : Math.min(head, doubtedFrom - 1);
}

/** True for a contradicted block and its descendants. */
export function isDoubted({ doubtedFrom }: ChainState, block: number): boolean {
  return doubtedFrom !== undefined && block >= doubtedFrom;
}

/** True if no block is missing: visible data then only changes with the reorg generation. */
export function isWhole(state: ChainState): boolean {
  return isBackfilled(state) && state.quarantined.length === 0;
}
