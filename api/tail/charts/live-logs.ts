/**
 * What the logs of some blocks say: who emitted, who moved tokens, which operations ran. Few logs, as a new block has them,
 * are read as they are and looked through here: planning the statements that count takes the engine four times as long.
 */
import type { TokenStandard } from '#chain/codec/token-abi.ts';
import { decodeTransfers } from '#chain/codec/token-transfers.ts';
import { distinctBy, groupBy } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { type LogRecord, topicsOf } from '../../terms/records/log-record.ts';
import { readSpan, type Source, type Span } from './read-span.ts';

export interface EmitterRow {
  readonly block_number: string;
  readonly address: string;
  /** Logs. */
  readonly emitted: string;
}

export interface TransferRow {
  readonly block_number: string;
  readonly standard: TokenStandard;
  readonly from: string;
  /** Tokens. */
  readonly moved: string;
}

export interface OperationRow {
  readonly block_number: string;
  readonly tx_index: number;
  /** Wallet, 32 bytes. */
  readonly topic2: string;
  /** Paymaster, 32 bytes. */
  readonly topic3: string;
}

export interface LogParts {
  readonly emitters: readonly EmitterRow[];
  readonly transfers: readonly TransferRow[];
  readonly operations: readonly OperationRow[];
}

const fewLogs = 2_000;
/** As the fragment is_user_operation. */
const operationTopic = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';
const none: LogParts = { emitters: [], transfers: [], operations: [] };

/** @param logs how many the blocks of the span have, by their own counts */
export function readLogParts(source: Source, state: ChainState, span: Span, logs: number): Promise<LogParts> {
  if (logs === 0) return Promise.resolve(none);
  return logs <= fewLogs ? lookThrough(source, state, span) : count(source, state, span);
}

/** By the engine. */
export async function count(source: Source, state: ChainState, span: Span): Promise<LogParts> {
  const [emitters, transfers, operations] = await Promise.all([
    readSpan<EmitterRow>(source, 'live_emitters', state, span),
    readSpan<TransferRow>(source, 'live_transfers', state, span),
    readSpan<OperationRow>(source, 'live_operations', state, span),
  ]);
  return { emitters, transfers, operations };
}

/** Here. */
export async function lookThrough(source: Source, state: ChainState, span: Span): Promise<LogParts> {
  const rows = await readSpan<LogRecord>(source, 'live_logs', state, span);
  const logs = distinctBy(rows, (row) => `${row.block_number}:${row.log_index}`);
  const emitted = tally(logs.map(({ block_number, address }) => ({ block_number, address })));
  const moved = tally(
    logs.flatMap((log) =>
      decodeTransfers({ topics: topicsOf(log), data: log.data }).map(({ standard, from }) => ({
        block_number: log.block_number,
        standard,
        from,
      })),
    ),
  );
  return {
    emitters: emitted.map(([row, times]) => ({ ...row, emitted: String(times) })),
    transfers: moved.map(([row, times]) => ({ ...row, moved: String(times) })),
    operations: logs
      .filter(({ topic0, topic_count }) => topic0 === operationTopic && topic_count === 4)
      .map(({ block_number, tx_index, topic2, topic3 }) => ({ block_number, tx_index, topic2, topic3 })),
  };
}

/** Equal rows with how often they come. */
function tally<Row extends object>(rows: readonly Row[]): readonly [Row, number][] {
  return [...groupBy(rows, (row) => Object.values(row).join(' ')).values()].map((same) => [same[0]!, same.length]);
}
