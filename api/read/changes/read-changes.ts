/**
 * Reads what has been added to the chain and removed from it since a position: in order, block by block, without a gap.
 * @source docs/mirrors.md
 */
import { known } from '#runtime/known.ts';
import { type ChainState, finalThrough, isBackfilled, reliableHead, snapshotParameters } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { describeGap, missingBlocks } from '../chain/freshness.ts';
import { addSums, noRows, type TableSums } from '../checkpoints/sum-tables.ts';
import { type ExportKind, exportKinds } from '../export/kinds.ts';
import type { SnapshotDeps, StoreDeps } from '../reader-deps.ts';

/** Last block that a mirror has applied. */
export interface Position {
  readonly number: number;
  /** Lower case, 0x and 64 hex digits. */
  readonly hash: string;
}

/** Blocks that the mirror must remove. */
interface Removal {
  readonly type: 'removed';
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly position: Position | undefined;
}

/** A range of blocks with all its rows. */
interface Addition {
  readonly type: 'added';
  readonly fromBlock: number;
  readonly position: Position;
  /** Last finalized block when the range was read. */
  readonly finalized: number;
  /** Rows by table, each a line of JSON. */
  readonly rows: Readonly<Record<ExportKind, readonly string[]>>;
  readonly tables: TableSums;
}

export type Change = Removal | Addition;

export type ChangeDeps = StoreDeps & SnapshotDeps;

/** Limits of a range whose rows are read together. */
const maxRangeBlocks = 2_000;
const maxRangeRows = 20_000;

const statements = {
  anchors: 'changes_anchors',
  transactions: 'changes_transactions',
  transfers: 'changes_transfers',
  logs: 'changes_logs',
} as const;

/**
 * Returns the next changes after a position.
 * @param since undefined: nothing is applied yet
 * @param maxBlocks maximum length of a range of blocks
 * @returns nothing if the position is the newest block
 * @throws ApiProblem indexing if the next block is not indexed yet; snapshot_invalidated if no reorg that the service
 *   knows removed the block of the position
 */
export function readNextChanges(
  deps: ChangeDeps,
  since: Position | undefined,
  maxBlocks: number,
): Promise<readonly Change[]> {
  return deps.snapshots.run(async (state) => {
    const removal = since && (await findRemoval(deps, state, since));
    if (removal) return [removal];
    const from = since ? since.number + 1 : state.startBlock;
    const last = lastReadable(state, from);
    return last < from ? [] : readRange(deps, state, from, Math.min(last, from + maxBlocks - 1));
  });
}

/** Returns the last block up to which no block is missing. @throws ApiProblem indexing if `from` is missing */
function lastReadable(state: ChainState, from: number): number {
  const head = reliableHead(state);
  const gap = missingBlocks(state).find(({ to }) => to >= from);
  if (!gap || gap.from > head) return head;
  if (gap.from <= from) throw new ApiProblem('indexing', describeGap(state, gap), { gaps: [gap] });
  return gap.from - 1;
}

async function findRemoval({ database }: StoreDeps, state: ChainState, since: Position): Promise<Removal | undefined> {
  const digits = since.hash.slice(2);
  const block = (number: number) => ({ ...snapshotParameters(state), block_number: number, hash: digits });
  const { hash } = await database.readOne('pinned_block', block(since.number));
  if (hash === since.hash) return undefined;
  const { fork_block } = await database.readOne('fork_of_removed', { hash: digits });
  if (fork_block === null) throw unknownBlock(state, since);
  const fork = Math.min(Number(fork_block), since.number - 1, state.head);
  if (fork < state.startBlock)
    return { type: 'removed', fromBlock: state.startBlock, toBlock: since.number, position: undefined };
  const { hash: forkHash } = await database.readOne('pinned_block', block(fork));
  const position = { number: fork, hash: forkHash ?? '' };
  return { type: 'removed', fromBlock: fork + 1, toBlock: since.number, position };
}

function unknownBlock(state: ChainState, { number, hash }: Position): ApiProblem {
  if (number > state.head)
    return new ApiProblem('indexing', `block ${number} is not indexed yet; the index reaches block ${state.head}`);
  // the blocks of a reorg are hidden shortly before it is listed
  if (state.reorgIntent !== '' || !isBackfilled(state))
    return new ApiProblem('indexing', `block ${number} is being replaced or is not indexed yet: try again`);
  return new ApiProblem(
    'snapshot_invalidated',
    `block ${number} with the hash ${hash} is not on the chain, and no listed reorg removed it: start without since`,
  );
}

/** Reads a range of finalized blocks as one addition, or unfinalized blocks as one addition each. */
async function readRange(deps: StoreDeps, state: ChainState, from: number, last: number): Promise<Addition[]> {
  const finalized = finalThrough(state);
  const most = from <= finalized ? Math.min(finalized, last, from + maxRangeBlocks - 1) : last;
  const blocks = await readSpan(deps, state, from, most);
  const to = from + blocks.length - 1;
  const window = { ...snapshotParameters(state), from_block: from, to_block: to };
  const [digests, ...rows] = await Promise.all([
    deps.database.read('changes_digests', window),
    ...exportKinds.map((kind) => deps.database.readLines(statements[kind], window)),
  ]);
  const parts =
    from <= finalized ? [{ low: from, high: to }] : blocks.map((_, i) => ({ low: from + i, high: from + i }));
  return parts.map(({ low, high }) => {
    const isWithin = (block: number) => block >= low && block <= high;
    const sums = digests.filter(({ block_number }) => isWithin(Number(block_number)));
    const own = parts.length === 1 ? rows : rows.map((lines) => lines.filter((line) => isWithin(blockOf(line))));
    const named = exportKinds.map((kind, i): [string, readonly string[]] => [kind, own[i] ?? []]);
    const addition: Addition = {
      ...{ type: 'added', fromBlock: low, finalized },
      position: { number: high, hash: known(blocks[high - from], 'the last block') },
      rows: Object.fromEntries(named) as Addition['rows'],
      tables: sumDigests(sums),
    };
    for (const kind of exportKinds)
      if (addition.tables[kind].rows !== addition.rows[kind].length)
        throw new ApiProblem('store_unavailable', 'rows changed while they were read');
    return addition;
  });
}

/** Returns the hashes of the blocks from `from` on whose rows are read together. */
async function readSpan({ database }: StoreDeps, state: ChainState, from: number, to: number): Promise<string[]> {
  const span = await database.read('changes_span', { ...snapshotParameters(state), from_block: from, to_block: to });
  let rowCount = 0;
  const taken = span.filter((block, i) => {
    rowCount += Number(block.row_count);
    return (i === 0 || rowCount <= maxRangeRows) && Number(block.block_number) === from + i;
  });
  if (taken.length === 0) throw new ApiProblem('indexing', `block ${from} is not indexed yet`);
  return taken.map(({ hash_hex }) => hash_hex);
}

/** Each line begins with the number of the block. */
const blockOf = (line: string) => Number(/^\{"blockNumber":(\d+)/.exec(line)?.[1]);

function sumDigests(rows: readonly { table_name: string; row_count: string; digest: string }[]): TableSums {
  const sums = noRows();
  for (const { table_name, row_count, digest } of rows) {
    const kind = table_name as ExportKind;
    sums[kind] = addSums(sums[kind], { rows: Number(row_count), digest });
  }
  return sums;
}
