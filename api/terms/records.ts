import type { BinaryRowOf, RowOf } from '#sql/statement-types.ts';

export type BlockRecord = RowOf<'block_by_hash'>;
export type TokenRecord = RowOf<'tokens_by_addresses'>;
export type HistoryRecord = BinaryRowOf<'history_asc'>;
export type TransferRecord = BinaryRowOf<'transfers_of_token_asc'>;
export type LogRecord = BinaryRowOf<'logs_asc'>;
export type TransactionRecord = BinaryRowOf<'transactions_asc'>;
export type DetailRecord = BinaryRowOf<'transactions_in_full'>;

export function comparePlaces(
  a: Pick<HistoryRecord, 'block_number' | 'tx_index'>,
  b: Pick<HistoryRecord, 'block_number' | 'tx_index'>,
): number {
  return Number(a.block_number) - Number(b.block_number) || a.tx_index - b.tx_index;
}

export function getTopics({ topic_count, topic0, topic1, topic2, topic3 }: LogRecord): string[] {
  return [topic0, topic1, topic2, topic3].slice(0, topic_count);
}

/** Returns 1 for success, 0 for failure, null if the receipt has no status. */
export function receiptStatus({ status }: Pick<TransactionRecord, 'status'>): 0 | 1 | null {
  return status === null ? null : status === 0 ? 0 : 1;
}
