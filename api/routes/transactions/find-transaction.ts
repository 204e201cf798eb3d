/** One transaction by its hash: its place first, then its row, each by key. One statement for both takes twice as long. */
import { hexDigits } from '#chain/codec/hex.ts';
import { distinctBy } from '#runtime/lists.ts';
import type { Parameters } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from '../../deps.ts';
import type { LogRecord } from '../log-record.ts';
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

interface Found {
  readonly row: DetailRecord;
  readonly logs: readonly LogRecord[];
}

type FindDeps = Pick<ApiDeps, 'database' | 'statements' | 'unsettled'>;

/** @returns undefined where it is not on the chain of that state */
export async function findTransaction(
  deps: FindDeps,
  state: ChainState,
  hash: string,
): Promise<DetailRecord | undefined> {
  return (await findTransactionAndLogs(deps, state, hash, 0))?.row;
}

/** The same with its logs, in order, at most so many; both are read at once. */
export async function findTransactionAndLogs(
  deps: FindDeps,
  state: ChainState,
  hash: string,
  limit: number,
): Promise<Found | undefined> {
  const reach = await deps.unsettled.stateForHash(state, hash);
  const read = <Row>(name: string, parameters: Parameters) =>
    deps.database.readBinary<Row>(getStatement(deps.statements, name), parameters);
  for (const { block_number, tx_index } of await placesOf(deps, reach, hash)) {
    const place = { ...snapshotParameters(reach), block_number, tx_index };
    const [[row], logs] = await Promise.all([
      read<DetailRecord>('transaction_at', place),
      limit === 0 ? [] : read<LogRecord>('logs_of_transaction', { ...place, limit }),
    ]);
    if (row?.hash === hash.toLowerCase()) return { row, logs };
  }
  return undefined;
}

/** Each once. */
async function placesOf({ database, statements }: FindDeps, state: ChainState, hash: string): Promise<Place[]> {
  const rows = await database.readBinary<Place>(getStatement(statements, 'places_of_hash'), {
    ...snapshotParameters(state),
    hash: hexDigits(hash),
  });
  return distinctBy(rows, (row) => `${row.block_number}:${row.tx_index}`);
}
