import { known } from '#runtime/known.ts';
import { distinctBy } from '#runtime/lists.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf, ParametersOf } from '#sql/statement-types.ts';
import { type Placed, transactionKey } from '../read/chain/paging.ts';
import type { StoreDeps } from '../read/reader-deps.ts';

export type CallRecord = BinaryRowOf<'calls_at'>;
export type PlacedTransaction = BinaryRowOf<'transactions_at'>;

export const callsAt = ({ database }: StoreDeps, state: ChainState, rows: readonly Placed[]) =>
  atPlaces(state, rows, (places) => database.readBinary('calls_at', places));

export const transactionsAt = ({ database }: StoreDeps, state: ChainState, rows: readonly Placed[]) =>
  atPlaces(state, rows, (places) => database.readBinary('transactions_at', places));

async function atPlaces<Row extends Placed>(
  state: ChainState,
  rows: readonly Placed[],
  read: (places: ParametersOf<'calls_at' | 'transactions_at'>) => Promise<Row[]>,
): Promise<(row: Placed) => Row> {
  const distinct = distinctBy(rows, transactionKey);
  const found = await read({
    ...snapshotParameters(state),
    blocks: distinct.map((row) => Number(row.block_number)),
    indexes: distinct.map((row) => row.tx_index),
  });
  const byPlace = new Map(found.map((row) => [transactionKey(row), row]));
  return (row) => known(byPlace.get(transactionKey(row)), 'the transaction of a row');
}
