/**
 * Rows of block_figures out of what is stored, where a block has none (an earlier version stored it) or all are made anew. Nothing
 * is asked of the node.
 */
import { groupBy } from '#runtime/lists.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement } from '#sql/statements.ts';
import type { PipelineDeps } from '../deps.ts';
import { encodeFigures, type FigureLog, type FigureTransaction } from '../encode/block-figures.ts';

type DeriveDeps = Pick<PipelineDeps, 'database' | 'statements' | 'log'>;

interface Stretch {
  readonly final: 0 | 1;
  readonly fromBlock: number;
  /** Inclusive. */
  readonly toBlock: number;
}

/** Rows of figure_blocks, figure_transactions and figure_logs, as readBinary gives them. */
interface BlockRow {
  readonly block_number: string;
  readonly timestamp: number;
  readonly gas_used: string;
  readonly gas_limit: string;
  readonly fees: string;
  readonly burned: string;
  readonly size: string;
}

interface TransactionRow {
  readonly block_number: string;
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

interface LogRow {
  readonly block_number: string;
  readonly tx_index: number;
  readonly address: string;
  readonly topic_count: number;
  readonly topic0: string;
  readonly topic1: string;
  readonly topic2: string;
  readonly topic3: string;
  readonly data: string;
}

/** Makes rows for the blocks between two that have none. */
export async function deriveMissingFigures(deps: DeriveDeps, fromBlock: number, toBlock: number): Promise<void> {
  const missing = await deps.database.read<{ final: 0 | 1; first_block: string; last_block: string }>(
    getStatement(deps.statements, 'figures_missing'),
    { from_block: fromBlock, to_block: toBlock },
  );
  for (const { final, first_block, last_block } of missing)
    await deriveFigures(deps, { final, fromBlock: Number(first_block), toBlock: Number(last_block) });
  const blocks = missing.length;
  if (blocks > 0) deps.log.info({ event: 'figures_derived', fromBlock, toBlock, stretches: blocks });
}

/** Makes the rows of a stretch of at most some thousand blocks. @param table that has the columns of block_figures */
export async function deriveFigures(deps: DeriveDeps, stretch: Stretch, table = 'block_figures'): Promise<void> {
  const [blocks, transactions, logs] = await Promise.all([
    readStretch<BlockRow>(deps, 'figure_blocks', stretch),
    readStretch<TransactionRow>(deps, 'figure_transactions', stretch),
    readStretch<LogRow>(deps, 'figure_logs', stretch),
  ]);
  const transactionsOf = groupBy(transactions, (row) => row.block_number);
  const logsOf = groupBy(logs, (row) => row.block_number);
  const rows = new RowWriter();
  for (const row of blocks)
    encodeFigures(rows, stretch.final, {
      block: {
        number: Number(row.block_number),
        timestamp: row.timestamp,
        gasUsed: BigInt(row.gas_used),
        gasLimit: BigInt(row.gas_limit),
        fees: BigInt(row.fees),
        burned: BigInt(row.burned),
        bytes: BigInt(row.size),
      },
      transactions: (transactionsOf.get(row.block_number) ?? []).map(figureTransaction),
      logs: (logsOf.get(row.block_number) ?? []).map(figureLog),
    });
  if (rows.rows > 0) await deps.database.insertRowBinary(table, rows.view());
}

function readStretch<Row>({ database, statements }: DeriveDeps, name: StatementName, stretch: Stretch): Promise<Row[]> {
  const { final, fromBlock, toBlock } = stretch;
  const parameters = { final, from_block: fromBlock, to_block: toBlock };
  return database.readBinary<Row>(getStatement(statements, name), parameters);
}

const figureTransaction = (row: TransactionRow): FigureTransaction => ({
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

const figureLog = ({ tx_index, address, topic_count, data, ...row }: LogRow): FigureLog => ({
  txIndex: tx_index,
  address,
  topics: [row.topic0, row.topic1, row.topic2, row.topic3].slice(0, topic_count),
  data,
});
