/** Rows that several readers, routes and actions share, as statements give them. */
import type { BinaryRowOf, RowOf } from '#sql/statement-types.ts';

export type BlockRecord = RowOf<'block_by_hash'>;
/** A token with its figures, as of a state. */
export type TokenRecord = RowOf<'tokens_by_addresses'>;
/** A transaction in the history of an address. */
export type HistoryRecord = BinaryRowOf<'history_asc'>;
export type TransferRecord = BinaryRowOf<'transfers_of_token_asc'>;
export type LogRecord = BinaryRowOf<'logs_asc'>;
export type TransactionRecord = BinaryRowOf<'transactions_asc'>;
/** A transaction with what only a single one shows. */
export type DetailRecord = BinaryRowOf<'transactions_in_full'>;

/** Topics of a log, as many as there are. */
export function topicsOf({ topic_count, topic0, topic1, topic2, topic3 }: LogRecord): string[] {
  return [topic0, topic1, topic2, topic3].slice(0, topic_count);
}

/** Status of a receipt, as replies have it; null where the receipt has none. */
export function receiptStatus({ status }: Pick<TransactionRecord, 'status'>): 0 | 1 | null {
  return status === null ? null : status === 0 ? 0 : 1;
}
