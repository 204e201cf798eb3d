/** Completes rows of one order of the data with columns of another, by their place in the chain. */
import { known } from '#runtime/known.ts';
import { distinctBy } from '#runtime/lists.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { type Placed, placeKey } from '../read/chain/paging.ts';
import type { StoreDeps } from '../read/reader-deps.ts';

/** A row of calls_at. */
export interface CallRecord extends Placed {
  readonly cumulative_gas_used: string;
  readonly input: string;
}

/** A row of transactions_at. */
export interface PlacedTransaction extends Placed {
  readonly block_hash: string;
  readonly nonce: string;
  readonly gas_limit: string;
  readonly gas_price: string;
  readonly gas_used: string;
  readonly cumulative_gas_used: string;
  readonly method_id: string;
}

interface Rows {
  readonly calls_at: CallRecord;
  readonly transactions_at: PlacedTransaction;
}

/**
 * Looks up what belongs to a row.
 * @param statement one that takes the fragment `places`
 * @param rows whose places are those of transactions; these may repeat
 */
export async function atPlaces<Name extends keyof Rows>(
  deps: StoreDeps,
  state: ChainState,
  statement: Name,
  rows: readonly Placed[],
): Promise<(row: Placed) => Rows[Name]> {
  const distinct = distinctBy(rows, placeKey);
  const found = await deps.database.readBinary<Rows[Name]>(getStatement(deps.statements, statement), {
    ...snapshotParameters(state),
    blocks: distinct.map((row) => Number(row.block_number)),
    indexes: distinct.map((row) => row.tx_index),
  });
  const byPlace = new Map(found.map((row) => [placeKey(row), row]));
  return (row) => known(byPlace.get(placeKey(row)), `a row of ${statement}`);
}
