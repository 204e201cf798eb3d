/** What a reader may see, as one value: bound to every statement that uses the fragment `visible`. */
import { eraBlocks } from './chain-tables.ts';
import type { Database, Parameters } from './client.ts';
import { getStatement, type Statements } from './statements.ts';

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
  readonly parked: readonly number[];
  readonly epoch: number;
  readonly eraThrough: number;
  /** Unix seconds. */
  readonly hourThrough: number;
  /** Unix seconds. */
  readonly dayThrough: number;
  /** Unix milliseconds. */
  readonly updatedAtMs: number;
}

/** A row of chain_state as it is stored, in RowBinary's types. */
interface StateRow {
  readonly version: string;
  readonly start_block: string;
  readonly backfilled_before: string;
  readonly follow_from: string;
  readonly finalized: string;
  readonly head: string;
  readonly head_hash: string;
  readonly chain_head: string;
  readonly dropped_through: string;
  readonly parked: readonly string[];
  readonly epoch: string;
  readonly era_through: string;
  readonly hour_through: number;
  readonly day_through: number;
  readonly updated_at: number;
}

/** @returns undefined before the pipeline's first start */
export async function readChainState(database: Database, statements: Statements): Promise<ChainState | undefined> {
  const rows = await database.readBinary<StateRow>(getStatement(statements, 'chain_state'));
  const [first, ...others] = rows;
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
    parked: row.parked.map(Number),
    epoch: Number(row.epoch),
    eraThrough: Number(row.era_through),
    hourThrough: row.hour_through,
    dayThrough: row.day_through,
    updatedAtMs: row.updated_at,
  };
}

/** Parameters of the fragment `visible`. */
export function snapshotParameters(state: ChainState): Parameters {
  return {
    backfilled_before: state.backfilledBefore,
    follow_from: state.followFrom,
    finalized: state.finalized,
    head: state.head,
  };
}

/** The same with the mark of the closed eras, for statements that add live rows to rollups. */
export function eraParameters(state: ChainState): Parameters {
  return { ...snapshotParameters(state), era_through: state.eraThrough, era_blocks: eraBlocks };
}

/** The same state without its unsettled blocks: rows that are all settled are found sooner by it, see settled-form.ts. */
export function settledPart(state: ChainState): ChainState {
  return state.head === state.finalized ? state : { ...state, head: state.finalized };
}

/** True when every final block from the start up to `finalized` is visible. */
export function isBackfilled(state: ChainState): boolean {
  return state.backfilledBefore >= state.followFrom;
}

/** True when no block up to the head is missing: what is visible stays as it is until the epoch changes. */
export function isWhole(state: ChainState): boolean {
  return isBackfilled(state) && state.parked.length === 0;
}
