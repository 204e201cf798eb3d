/** One transaction by its hash: its place first, then its row, each by key. One statement for both takes twice as long. */
import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from '../../deps.ts';
import type { TransactionRecord } from './transaction.ts';

/** A row of the statement transaction_at. */
export interface DetailRecord extends TransactionRecord {
  input: string;
  blob_count: number;
  authorization_count: number;
  blob_gas_used: string | null;
  blob_gas_price: string | null;
}

interface Place {
  readonly block_number: string;
  readonly tx_index: number;
}

type FindDeps = Pick<ApiDeps, 'database' | 'statements' | 'unsettled'>;

/** @returns undefined where it is not on the chain of that state */
export async function findTransaction(
  deps: FindDeps,
  state: ChainState,
  hash: string,
): Promise<DetailRecord | undefined> {
  const reach = await deps.unsettled.stateForHash(state, hash);
  for (const { block_number, tx_index } of await placesOf(deps, reach, hash)) {
    const [row] = await deps.database.readBinary<DetailRecord>(getStatement(deps.statements, 'transaction_at'), {
      ...snapshotParameters(reach),
      ...{ block_number, tx_index },
    });
    if (row?.hash === hash.toLowerCase()) return row;
  }
  return undefined;
}

/** Each once. */
async function placesOf({ database, statements }: FindDeps, state: ChainState, hash: string): Promise<Place[]> {
  const rows = await database.readBinary<Place>(getStatement(statements, 'places_of_hash'), {
    ...snapshotParameters(state),
    hash: hexDigits(hash),
  });
  return [...new Map(rows.map((row) => [`${row.block_number}:${row.tx_index}`, row])).values()];
}
