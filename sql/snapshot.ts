import { rollupWindowBlocks } from './chain-tables.ts';
import type { Database } from './client.ts';
import type { Snapshot } from './statements.gen.ts';

/** Time between hiding and deleting rows, ms, because running queries may still read them. */
export const readerGraceMs = 250;

/** Progress of indexing. Numbers are block numbers, except `version`, `reorgGeneration` and times. */
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
  /** Missing blocks, for which no node returned valid data, ascending. */
  readonly quarantined: readonly number[];
  readonly reorgGeneration: number;
  readonly rollupThrough: number;
  /** End of the hours with stored chart values, Unix seconds. */
  readonly hourThrough: number;
  /** End of the days with stored chart values, Unix seconds. */
  readonly dayThrough: number;
  /** Time of the last change other than rollups, Unix milliseconds. */
  readonly updatedAtMs: number;
  /** First finalized block that a node contradicts. Blocks from this one on do not count as final. */
  readonly doubtedFrom: number | undefined;
  /** Time of the contradiction, Unix milliseconds; 0: none. */
  readonly doubtedSinceMs: number;
  readonly doubt: string;
  /** Reorg (JSON) that is not yet in the table `reorgs`. Its removed blocks are hidden. */
  readonly reorgIntent: string;
  /** Repairs of stored blocks, oldest first, from ascending blocks. */
  readonly repairs: readonly Repair[];
}

/** Replacement of rows by a repair or a rewind. The new blocks can have the same hashes. */
interface Repair {
  /** Reorg generation that began with the repair. */
  readonly generation: number;
  readonly fromBlock: number;
}

const maxRepairs = 64;

/**
 * Adds a repair that begins the next reorg generation. Drops earlier repairs that it covers. Merges the two oldest ones
 * if there are more than `maxRepairs`.
 */
export function withRepair({ repairs, reorgGeneration }: ChainState, fromBlock: number): Repair[] {
  const kept = [...repairs.filter((one) => one.fromBlock < fromBlock), { generation: reorgGeneration + 1, fromBlock }];
  const [first, second, ...rest] = kept;
  if (kept.length <= maxRepairs || !first || !second) return kept;
  return [{ ...second, fromBlock: first.fromBlock }, ...rest];
}

/** Returns the lowest block that a repair replaced after a reorg generation; undefined: none. */
export function repairedSince({ repairs }: ChainState, generation: number): number | undefined {
  return repairs.find((repair) => repair.generation > generation)?.fromBlock;
}

/**
 * Reads the progress of indexing.
 * @param known is returned if it is still the newest state
 * @returns undefined before the first start of the pipeline
 */
export async function readChainState(database: Database, known?: ChainState): Promise<ChainState | undefined> {
  if (known && (await readVersion(database)) === known.version) return known;
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
    repairs: row.repair_generations.map((generation, i) => ({
      generation: Number(generation),
      fromBlock: Number(row.repair_blocks[i]),
    })),
  };
}

async function readVersion(database: Database): Promise<number> {
  const rows = await database.readBinary('chain_version');
  return Math.max(...rows.map(({ version }) => Number(version)));
}

const decodeText = (hex: string) => Buffer.from(hex.slice(2), 'hex').toString();

/** Returns whether all rows of a snapshot up to its head still existed when `later` was read. */
export function isIntact(snapshot: ChainState, later: ChainState): boolean {
  const hasUnfinalized = snapshot.head > snapshot.finalized;
  return (
    later.reorgGeneration === snapshot.reorgGeneration &&
    (!hasUnfinalized || later.droppedThrough <= snapshot.finalized)
  );
}

/** Returns whether all rows of a snapshot still exist. Then results that were read from them are valid. */
export async function isStillIntact(database: Database, snapshot: ChainState): Promise<boolean> {
  const later = await readChainState(database, snapshot);
  return later !== undefined && isIntact(snapshot, later);
}

export function snapshotParameters(state: ChainState): Record<keyof Snapshot, number> {
  return {
    backfilled_before: state.backfilledBefore,
    follow_from: state.followFrom,
    finalized: state.finalized,
    head: state.head,
  };
}

/** Returns parameters of statements that add newer blocks to stored rollups. */
export function rollupParameters(state: ChainState): Record<keyof Snapshot | 'era_through' | 'era_blocks', number> {
  return { ...snapshotParameters(state), era_through: state.rollupThrough, era_blocks: rollupWindowBlocks };
}

/** Returns a copy whose head is the finalized block: its queries are faster. */
export function finalizedPart(state: ChainState): ChainState {
  return state.head === state.finalized ? state : { ...state, head: state.finalized };
}

/** Returns whether all blocks up to the head are stored, except quarantined blocks. */
export function isBackfilled(state: ChainState): boolean {
  return state.backfilledBefore >= state.followFrom;
}

/** Returns the block ranges up to `through` that readers see, lowest first; ends are inclusive. */
export function listShown(state: ChainState, through: number): { fromBlock: number; toBlock: number }[] {
  const { startBlock, backfilledBefore, followFrom } = state;
  const shown = isBackfilled(state)
    ? [{ fromBlock: startBlock, toBlock: through }]
    : [
        { fromBlock: startBlock, toBlock: Math.min(backfilledBefore - 1, through) },
        { fromBlock: followFrom, toBlock: through },
      ];
  return shown.filter(({ fromBlock, toBlock }) => fromBlock <= toBlock);
}

/** Returns the last finalized block that no node contradicts. */
export function finalThrough({ finalized, doubtedFrom }: ChainState): number {
  return doubtedFrom === undefined ? finalized : Math.min(finalized, doubtedFrom - 1);
}

/** Returns the last block before the first contradicted block, or the head if there is none. */
export function reliableHead({ head, doubtedFrom }: ChainState): number {
  return doubtedFrom === undefined ? head : Math.min(head, doubtedFrom - 1);
}

export function isDoubted({ doubtedFrom }: ChainState, block: number): boolean {
  return doubtedFrom !== undefined && block >= doubtedFrom;
}

/** Returns the first block of the gapless range that ends at the head. */
export function firstWholeBlock(state: ChainState): number {
  const first = isBackfilled(state) ? state.startBlock : state.followFrom;
  return Math.max(first, ...state.quarantined.map((block) => block + 1));
}

/** Returns whether no block is missing. Then only a reorg can change data of earlier replies. */
export function isWhole(state: ChainState): boolean {
  return isBackfilled(state) && state.quarantined.length === 0;
}
