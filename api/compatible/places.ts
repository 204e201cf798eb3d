/** Completes rows of one order of the data with columns of another, by their place in the chain. */
import { distinctBy } from '#runtime/lists.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from '../deps.ts';
import { type Placed, placeKey } from '../read/chain/paging.ts';
import type { Position } from '../terms/cursor.ts';

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
 * Rows by `placeKey`.
 * @param statement one that takes the fragment `places`
 * @param places of transactions; may repeat
 */
export async function atPlaces<Name extends keyof Rows>(
  deps: ApiDeps,
  state: ChainState,
  statement: Name,
  places: readonly Position[],
): Promise<Map<string, Rows[Name]>> {
  const distinct = distinctBy(places, (place) => `${place.block}:${place.index}`);
  const rows = await deps.database.readBinary<Rows[Name]>(getStatement(deps.statements, statement), {
    ...snapshotParameters(state),
    blocks: distinct.map((place) => place.block),
    indexes: distinct.map((place) => place.index),
  });
  return new Map(rows.map((row) => [placeKey(row), row]));
}
