/** Completes rows of one order of the data with columns of another, by their place in the chain. */
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { Position } from '../cursor.ts';
import type { ApiDeps } from '../deps.ts';

interface Placed {
  readonly block_number: string;
  readonly tx_index: number;
}

export const placeKey = ({ block_number, tx_index }: Placed) => `${block_number}:${tx_index}`;

/**
 * Rows by `placeKey`.
 * @param statement one that takes the fragment `places`
 * @param places of transactions; may repeat
 */
export async function atPlaces<Row extends Placed>(
  deps: ApiDeps,
  state: ChainState,
  statement: 'calls_at' | 'transactions_at',
  places: readonly Position[],
): Promise<Map<string, Row>> {
  const distinct = [...new Map(places.map((place) => [`${place.block}:${place.index}`, place])).values()];
  const rows = await deps.database.readBinary<Row>(getStatement(deps.statements, statement), {
    ...snapshotParameters(state),
    ...{ blocks: distinct.map((place) => place.block), indexes: distinct.map((place) => place.index) },
  });
  return new Map(rows.map((row) => [placeKey(row), row]));
}
