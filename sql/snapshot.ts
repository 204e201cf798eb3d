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

/** @returns undefined before the pipeline's first start */
export async function readChainState(database: Database, statements: Statements): Promise<ChainState | undefined> {
  const [row] = await database.read<Record<string, string | number> & { parked: string[] }>(
    getStatement(statements, 'chain_state'),
  );
  if (!row) return undefined;
  return {
    version: Number(row.version),
    startBlock: Number(row.start_block),
    backfilledBefore: Number(row.backfilled_before),
    followFrom: Number(row.follow_from),
    finalized: Number(row.finalized),
    head: Number(row.head),
    headHash: String(row.head_hash),
    chainHead: Number(row.chain_head),
    droppedThrough: Number(row.dropped_through),
    parked: row.parked.map(Number),
    epoch: Number(row.epoch),
    eraThrough: Number(row.era_through),
    hourThrough: Number(row.hour_through),
    dayThrough: Number(row.day_through),
    updatedAtMs: Number(row.updated_at_ms),
  };
}

/** Version of the state now; -1 before the first start. Half the cost of reading the state. */
export async function readChainVersion(database: Database, statements: Statements): Promise<number> {
  const rows = await database.read<{ version: string }>(getStatement(statements, 'chain_version'));
  return rows.reduce((highest, row) => Math.max(highest, Number(row.version)), -1);
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

/** True when every final block from the start up to `finalized` is visible. */
export function isBackfilled(state: ChainState): boolean {
  return state.backfilledBefore >= state.followFrom;
}
