/**
 * Reads the blocks that were added to and removed from the chain since a position, in order and without gaps.
 * @source docs/mirrors.md
 */
import { known } from '#runtime/known.ts';
import { type ChainState, finalThrough, reliableHead, repairedSince, snapshotParameters } from '#sql/snapshot.ts';
import type { BlockRange } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { hiddenIn } from '../chain/block-ranges.ts';
import { describeGap, missingBlocks } from '../chain/freshness.ts';
import { beingReplaced } from '../chain/paging.ts';
import { addSums, noRows, type TableSums } from '../checkpoints/sum-tables.ts';
import { type ExportKind, exportKinds } from '../export/kinds.ts';
import type { SnapshotDeps, StoreDeps } from '../reader-deps.ts';

/** Last block that a mirror (copy of the data) has applied. */
export interface Position {
  readonly number: number;
  /** Lower case, 0x and 64 hex digits. */
  readonly hash: string;
  /** Reorg generation at which the block was read; undefined: later repairs are not noticed. */
  readonly generation: number | undefined;
}

/** Blocks that a mirror must remove. */
interface Removal {
  readonly type: 'removed';
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly position: Position | undefined;
}

/** Added blocks with all their rows. */
interface Addition {
  readonly type: 'added';
  readonly fromBlock: number;
  readonly position: Position;
  /** Last finalized block at the time of reading. */
  readonly finalized: number;
  /** Rows by table, each a line of JSON. */
  readonly rows: Readonly<Record<ExportKind, readonly string[]>>;
  readonly tables: TableSums;
}

export type Change = Removal | Addition;

export type ChangeDeps = StoreDeps & SnapshotDeps;

/** Limits of one read. */
const maxRangeBlocks = 2_000;
const maxRangeRows = 20_000;
const maxRangeBytes = 64 * 1_048_576;

const statements = {
  anchors: 'changes_anchors',
  transactions: 'changes_transactions',
  transfers: 'changes_transfers',
  logs: 'changes_logs',
} as const;

/**
 * Returns the next changes after a position.
 * @param since undefined: the mirror is empty
 * @returns empty at the newest block
 * @throws ApiProblem indexing if the next block is not indexed yet or in doubt; snapshot_invalidated if the block of the
 *   position is not on the chain and no recorded reorg removed it
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

/** Returns the last block before the first gap at or above `from`. @throws ApiProblem indexing if `from` is missing */
function lastReadable(state: ChainState, from: number): number {
  const head = reliableHead(state);
  const { doubtedFrom } = state;
  const isMissing = (gap: BlockRange) => new ApiProblem('indexing', describeGap(state, gap), { gaps: [gap] });
  // also above the newest block: an empty reply would mean that the mirror is complete
  if (doubtedFrom !== undefined && from > head) throw isMissing({ from: doubtedFrom, to: state.head });
  const gap = missingBlocks(state).find(({ to }) => to >= from);
  if (!gap || gap.from > head) return head;
  if (gap.from <= from) throw isMissing(gap);
  return gap.from - 1;
}

async function findRemoval({ database }: StoreDeps, state: ChainState, since: Position): Promise<Removal | undefined> {
  const digits = since.hash.slice(2);
  const block = (number: number) => ({ ...snapshotParameters(state), block_number: number, hash: digits });
  const { hash, fork_block } = await database.readOne('pinned_block', block(since.number));
  const isOnChain = hash === since.hash;
  const repaired = since.generation === undefined ? undefined : repairedSince(state, since.generation);
  const isRepaired = repaired !== undefined && repaired <= since.number;
  if (isOnChain && !isRepaired) return undefined;
  // a reorg hides its blocks before it is recorded, and its fork may be lower
  if (!isOnChain && (fork_block === null || state.reorgIntent !== '')) throw unknownBlock(state, since);
  const reorgFork = isOnChain ? since.number : Math.min(Number(fork_block), since.number - 1);
  const fork = Math.min(reorgFork, isRepaired ? repaired - 1 : reorgFork, state.head);
  if (fork < state.startBlock)
    return { type: 'removed', fromBlock: state.startBlock, toBlock: since.number, position: undefined };
  const { hash: forkHash } = await database.readOne('pinned_block', block(fork));
  if (!forkHash) throw beingReplaced(fork);
  const position = { number: fork, hash: forkHash, generation: state.reorgGeneration };
  return { type: 'removed', fromBlock: fork + 1, toBlock: since.number, position };
}

function unknownBlock(state: ChainState, { number, hash }: Position): ApiProblem {
  if (number > state.head)
    return new ApiProblem('indexing', `block ${number} is not indexed yet; the index reaches block ${state.head}`);
  if (state.reorgIntent !== '' || hiddenIn(state)(number)) return beingReplaced(number);
  return new ApiProblem(
    'snapshot_invalidated',
    `block ${number} with the hash ${hash} is not on the chain, and no listed reorg removed it: start without since`,
  );
}

/** Maximum number of unfinalized blocks per read. */
const maxUnfinalizedBlocks = 200;

/** Reads finalized blocks as one change, or each unfinalized block as a separate change. */
async function readRange(deps: StoreDeps, state: ChainState, from: number, last: number): Promise<Addition[]> {
  const finalized = finalThrough(state);
  const { reorgGeneration: generation } = state;
  const end = from <= finalized ? Math.min(finalized, from + maxRangeBlocks - 1) : from + maxUnfinalizedBlocks - 1;
  const most = Math.min(last, end);
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
    const own = parts.length === 1 ? rows : rows.map((lines) => lines.filter((line) => isWithin(getBlock(line))));
    const named = exportKinds.map((kind, i): [string, readonly string[]] => [kind, own[i] ?? []]);
    const addition: Addition = {
      ...{ type: 'added', fromBlock: low, finalized },
      position: { number: high, hash: known(blocks[high - from], 'the last block'), generation },
      rows: Object.fromEntries(named) as Addition['rows'],
      tables: sumDigests(sums),
    };
    for (const kind of exportKinds)
      if (addition.tables[kind].rows !== addition.rows[kind].length)
        throw new ApiProblem('store_unavailable', 'rows changed while they were read; try again');
    return addition;
  });
}

/** Returns the hashes of the blocks that fit in one read. */
async function readSpan({ database }: StoreDeps, state: ChainState, from: number, to: number): Promise<string[]> {
  const span = await database.read('changes_span', { ...snapshotParameters(state), from_block: from, to_block: to });
  let [rowCount, bytes] = [0, 0];
  const taken = span.filter((block, i) => {
    rowCount += Number(block.row_count);
    bytes += Number(block.most_bytes);
    const hasRoom = rowCount <= maxRangeRows && bytes <= maxRangeBytes;
    return (i === 0 || hasRoom) && Number(block.block_number) === from + i;
  });
  if (taken.length === 0) throw new ApiProblem('indexing', `block ${from} is not indexed yet`);
  return taken.map(({ hash_hex }) => hash_hex);
}

const getBlock = (line: string) => Number(/^\{"blockNumber":(\d+)/.exec(line)?.[1]);

function sumDigests(rows: readonly { table_name: string; row_count: string; digest: string }[]): TableSums {
  const sums = noRows();
  for (const { table_name, row_count, digest } of rows) {
    const kind = table_name as ExportKind;
    sums[kind] = addSums(sums[kind], { rows: Number(row_count), digest });
  }
  return sums;
}
