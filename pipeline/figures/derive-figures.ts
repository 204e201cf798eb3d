import { getFirst, getLast, groupBy } from '#runtime/lists.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { JobDeps } from '../deps.ts';
import { encodeFigures, type FigureLog, type FigureTransaction } from '../encode/block-figures.ts';

type DeriveDeps = Pick<JobDeps, 'database' | 'log'>;

interface Stretch {
  readonly final: 0 | 1;
  readonly fromBlock: number;
  readonly toBlock: number;
}

const windowBlocks = 100_000;

/**
 * Computes missing figures (sums for charts) of blocks that an earlier version stored. The blocks must be finalized and
 * not be removed meanwhile: figures of partial blocks would be wrong.
 */
export async function deriveMissingFigures(
  deps: DeriveDeps & Pick<JobDeps, 'signal'>,
  fromBlock: number,
  toBlock: number,
): Promise<void> {
  let derived = 0;
  for (let from = Math.max(0, fromBlock - 1); from <= toBlock && !deps.signal.aborted; from += windowBlocks) {
    const window = { from_block: from, to_block: Math.min(from + windowBlocks - 1, toBlock) };
    for (const { first_block, last_block } of await deps.database.read('figures_missing', window)) {
      if (deps.signal.aborted) return;
      await deriveFigures(deps, { final: 1, fromBlock: Number(first_block), toBlock: Number(last_block) });
      derived++;
    }
  }
  if (derived > 0) deps.log.info({ event: 'figures_derived', fromBlock, toBlock, stretches: derived });
}

/** Maximum transactions and logs per query, about 1 kB each. */
const rowsAtOnce = 50_000;

type BlockRow = BinaryRowOf<'figure_blocks'>;

/** Computes the figures (sums for charts) of stored blocks. @param stretch at most a few thousand blocks */
export async function deriveFigures(deps: DeriveDeps, stretch: Stretch, table = 'block_figures'): Promise<void> {
  const { final, fromBlock, toBlock } = stretch;
  const blocks = await deps.database.readBinary('figure_blocks', { final, from_block: fromBlock, to_block: toBlock });
  for (const some of cutByRows(blocks)) {
    const rows = await encodeBlocks(deps, final, some);
    await deps.database.insertRowBinary(table, rows.view());
  }
}

function cutByRows(blocks: readonly BlockRow[]): BlockRow[][] {
  const parts: BlockRow[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const block of blocks) {
    rows += block.transaction_count + block.log_count;
    if (rows > rowsAtOnce) {
      parts.push([]);
      rows = block.transaction_count + block.log_count;
    }
    getLast(parts).push(block);
  }
  return parts;
}

async function encodeBlocks({ database }: DeriveDeps, final: 0 | 1, blocks: readonly BlockRow[]): Promise<RowWriter> {
  const [first, last] = [getFirst(blocks), getLast(blocks)];
  const parameters = { final, from_block: Number(first.block_number), to_block: Number(last.block_number) };
  const [transactions, logs] = await Promise.all([
    database.readBinary('figure_transactions', parameters),
    database.readBinary('figure_logs', parameters),
  ]);
  const transactionsByBlock = groupBy(transactions, (row) => row.block_number);
  const logsByBlock = groupBy(logs, (row) => row.block_number);
  const rows = new RowWriter();
  for (const row of blocks)
    encodeFigures(rows, final, {
      block: {
        number: Number(row.block_number),
        timestamp: row.timestamp,
        gasUsed: BigInt(row.gas_used),
        gasLimit: BigInt(row.gas_limit),
        fees: BigInt(row.fees),
        burned: BigInt(row.burned),
        bytes: BigInt(row.size),
      },
      transactions: (transactionsByBlock.get(row.block_number) ?? []).map(figureTransaction),
      logs: (logsByBlock.get(row.block_number) ?? []).map(figureLog),
    });
  return rows;
}

const figureTransaction = (row: BinaryRowOf<'figure_transactions'>): FigureTransaction => ({
  from: row.from,
  to: row.to,
  created: row.contract_address,
  isFailed: row.status === 0,
  value: BigInt(row.value),
  gasUsed: BigInt(row.gas_used),
  gasPrice: BigInt(row.gas_price),
  fee: BigInt(row.fee),
  inputBytes: Number(row.input_bytes),
  authorizations: row.authorization_count,
});

const figureLog = ({ tx_index, address, topic_count, data, ...row }: BinaryRowOf<'figure_logs'>): FigureLog => ({
  txIndex: tx_index,
  address,
  topics: [row.topic0, row.topic1, row.topic2, row.topic3].slice(0, topic_count),
  data,
});
