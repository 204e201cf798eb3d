import { known } from '#runtime/known.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { type Placed, transactionKey } from '../read/chain/paging.ts';
import type { PlacedReads } from '../read/chain/placed-reads.ts';

export type CallRecord = BinaryRowOf<'calls_at'>;
export type PlacedTransaction = BinaryRowOf<'transactions_at'>;

export interface PlacesDeps {
  readonly placedCalls: PlacedReads<'calls_at'>;
  readonly placedTransactions: PlacedReads<'transactions_at'>;
}

export const callsAt = async ({ placedCalls }: PlacesDeps, state: ChainState, rows: readonly Placed[]) =>
  atPlace(await placedCalls.of(rows.map(transactionKey), state));

export const transactionsAt = async ({ placedTransactions }: PlacesDeps, state: ChainState, rows: readonly Placed[]) =>
  atPlace(await placedTransactions.of(rows.map(transactionKey), state));

function atPlace<Row>(found: ReadonlyMap<string, Row>): (row: Placed) => Row {
  return (row) => known(found.get(transactionKey(row)), 'the transaction of a row');
}
