/** Rows of the blocks that no closed bucket holds, as the engine has them: few columns, no sums. */
import { groupBy } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { type LogParts, lookThrough, type OperationRow, readLogParts, type TransferRow } from './live-logs.ts';
import { readSpan, type Source, type Span } from './read-span.ts';

/** A row of live_blocks; wei and gas as decimal strings. */
export interface BlockRow {
  readonly block_number: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly transaction_count: number;
  readonly gas_used: string;
  readonly gas_limit: string;
  readonly fees: string;
  readonly burned: string;
  readonly size: number | string;
  readonly log_count: number;
}

/** A row of live_transactions. */
export interface TransactionRow {
  readonly block_number: string;
  readonly tx_index: number;
  readonly from: string;
  readonly to: string | null;
  readonly contract_address: string | null;
  readonly status: number | null;
  readonly value: string;
  readonly gas_used: string;
  readonly gas_price: string;
  readonly fee: string;
  readonly input_bytes: string;
  readonly authorization_count: number;
}

/** A block with everything that figures are made of. */
export interface LiveBlock {
  readonly block: BlockRow;
  readonly transactions: readonly TransactionRow[];
  readonly emitters: readonly string[];
  readonly transfers: readonly TransferRow[];
  readonly operations: readonly OperationRow[];
}

/** What blocks hold beside their own rows. */
export interface BlockParts extends LogParts {
  readonly transactions: readonly TransactionRow[];
}

/** Blocks whose parts are asked for without knowing how many they have. */
const fewBlocks = 2;

/** Visible blocks of a span, lowest first. */
export function readBlockRows(source: Source, state: ChainState, span: Span): Promise<BlockRow[]> {
  return readSpan<BlockRow>(source, 'live_blocks', state, span);
}

/** What happened in few blocks, to be asked for beside them; undefined where they are many, or have more than is read unseen. */
export async function readAhead(source: Source, state: ChainState, span: Span): Promise<BlockParts | undefined> {
  if (span.to - span.from >= fewBlocks) return undefined;
  return Promise.all([
    readSpan<TransactionRow>(source, 'live_transactions', state, span),
    lookThrough(source, state, span),
  ]).then(
    ([transactions, logs]) => ({ transactions, ...logs }),
    () => undefined, // a fault that stays is met again by who asks with the counts of the blocks
  );
}

/** The same of blocks that were read before. */
async function readParts(source: Source, state: ChainState, blocks: readonly BlockRow[]): Promise<BlockParts> {
  const span = { from: Number(blocks[0]!.block_number), to: Number(blocks.at(-1)!.block_number) };
  const sum = (count: (block: BlockRow) => number) => blocks.reduce((total, block) => total + count(block), 0);
  const [transactionCount, logCount] = [sum((block) => block.transaction_count), sum((block) => block.log_count)];
  const [transactions, logs] = await Promise.all([
    transactionCount === 0 ? [] : readSpan<TransactionRow>(source, 'live_transactions', state, span),
    readLogParts(source, state, span, logCount),
  ]);
  return { transactions, ...logs };
}

/**
 * What happened in blocks that were read before.
 * @param ahead all that happened in them, where it was read already
 * @returns undefined when rows are missing, as they are where the state went by meanwhile: the blocks' own counts say so
 */
export async function readLiveBlocks(
  source: Source,
  state: ChainState,
  blocks: readonly BlockRow[],
  ahead?: BlockParts,
): Promise<LiveBlock[] | undefined> {
  if (blocks.length === 0) return [];
  const { transactions, emitters, transfers, operations } = ahead ?? (await readParts(source, state, blocks));
  const of = { transactions: byBlock(transactions), emitters: byBlock(emitters) };
  const all = { transfers: byBlock(transfers), operations: byBlock(operations) };
  const live = blocks.map((block) => ({
    block,
    transactions: of.transactions.get(block.block_number) ?? [],
    emitters: of.emitters.get(block.block_number) ?? [],
    transfers: all.transfers.get(block.block_number) ?? [],
    operations: all.operations.get(block.block_number) ?? [],
  }));
  const isWhole = live.every(
    ({ block, transactions, emitters }) =>
      transactions.length === block.transaction_count &&
      emitters.reduce((sum, { emitted }) => sum + Number(emitted), 0) === block.log_count,
  );
  if (!isWhole) return undefined;
  return live.map((block) => ({ ...block, emitters: block.emitters.map(({ address }) => address) }));
}

function byBlock<Row extends { readonly block_number: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return groupBy(rows, (row) => row.block_number);
}
