/** One transaction by its hash. */
import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from '../../deps.ts';
import type { TransactionRecord } from './transaction.ts';

/** A row of the statement transaction_by_hash. */
export interface DetailRecord extends TransactionRecord {
  input: string;
  blob_count: number;
  authorization_count: number;
  blob_gas_used: string | null;
  blob_gas_price: string | null;
}

/** @returns undefined where it is not on the chain of that state */
export async function findTransaction(
  { database, statements, unsettled }: Pick<ApiDeps, 'database' | 'statements' | 'unsettled'>,
  state: ChainState,
  hash: string,
): Promise<DetailRecord | undefined> {
  const reach = await unsettled.stateForHash(state, hash);
  const [row] = await database.readBinary<DetailRecord>(getStatement(statements, 'transaction_by_hash'), {
    ...snapshotParameters(reach),
    hash: hexDigits(hash),
  });
  return row;
}
