/**
 * Reads the position of a transaction, then its row and logs in parallel: a single statement takes twice as long.
 * Caches transactions until a reorg or repair, because clients request deposits repeatedly.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { distinctBy, getFirst, getLast, groupBy } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';
import type { RecentHistory } from '../../tail/recent-history.ts';
import type { DetailRecord, LogRecord } from '../../terms/records.ts';
import { Batched } from './batched.ts';
import { type Placed, transactionKey } from './paging.ts';

export const maxLogs = 5_000;

interface FoundTransaction {
  readonly row: DetailRecord;
  readonly logs: readonly LogRecord[];
}

interface LogPage {
  readonly logs: readonly LogRecord[];
  readonly nextAfter: number | null;
}

export function getFirstLogs({ row, logs }: FoundTransaction): LogPage {
  const last = logs.at(-1);
  return { logs, nextAfter: last && row.log_count > logs.length ? last.log_index : null };
}

type HashPosition = BinaryRowOf<'places_of_hashes'>;

/** Estimated size of a cached transaction or log without data, bytes. */
const baseBytes = 1_500;

export class TransactionReader {
  readonly #found = new Cache<FoundTransaction>('transactions', estimateSize);
  readonly #positions = new Batched<string, HashPosition[]>((state, hashes) => this.#readPositions(state, hashes), 100);
  readonly #rows = new Batched<Placed, DetailRecord[]>((state, positions) => this.#readRows(state, positions), 50);
  readonly #logs = new Batched<Placed, LogRecord[]>((state, positions) => this.#readLogs(state, positions), 20);
  readonly database: Database;
  readonly recentHistory: RecentHistory;

  constructor(database: Database, recentHistory: RecentHistory) {
    this.database = database;
    this.recentHistory = recentHistory;
  }

  async find(state: ChainState, hash: string): Promise<DetailRecord | undefined> {
    return (await this.#find(state, hash, false))?.row;
  }

  findWithLogs(state: ChainState, hash: string): Promise<FoundTransaction | undefined> {
    return this.#find(state, hash, true);
  }

  async logsAfter(state: ChainState, { block_number, tx_index }: Placed, after: number): Promise<LogPage> {
    const rows = await this.database.readBinary('logs_of_transaction_after', {
      ...snapshotParameters(state),
      block_number,
      tx_index,
      after,
      limit: 2 * (maxLogs + 1),
    });
    const all = distinctBy(rows, byIndex);
    const logs = all.slice(0, maxLogs);
    return { logs, nextAfter: all.length > maxLogs ? getLast(logs).log_index : null };
  }

  async #find(state: ChainState, hash: string, withLogs: boolean): Promise<FoundTransaction | undefined> {
    const key = `${withLogs} ${hash.toLowerCase()}`;
    const known = this.#found.get(key, state);
    // the snapshot can be older
    if (known && Number(known.row.block_number) <= state.head) return known;
    const found = await this.#lookUp(state, hash, withLogs);
    if (found && !known && isComplete(found, withLogs)) this.#found.set(key, state, found);
    return found;
  }

  async #lookUp(state: ChainState, hash: string, withLogs: boolean): Promise<FoundTransaction | undefined> {
    const { state: readable, place } = await this.recentHistory.findHash(state, hash);
    for (const position of place ? [place] : await this.#positions.of(readable, hash)) {
      const [[row], logs] = await Promise.all([
        this.#rows.of(readable, position),
        withLogs ? this.#logs.of(readable, position) : Promise.resolve([]),
      ]);
      if (row?.hash === hash.toLowerCase()) return { row, logs };
    }
    return undefined;
  }

  /** Searches the first 8 bytes of hashes, so one hash can have several positions. */
  async #readPositions(state: ChainState, hashes: readonly string[]): Promise<HashPosition[][]> {
    const prefixes = hashes.map((hash) => hexDigits(hash).slice(0, 16));
    const parameters = { ...snapshotParameters(state), prefix: getFirst(prefixes), prefixes };
    const variant = prefixes.length === 1 ? 'one' : 'many';
    const rows = await this.database.readBinary('places_of_hashes', parameters, [variant]);
    const byPrefix = groupBy(
      distinctBy(rows, (row) => `${row.hash_prefix} ${transactionKey(row)}`),
      (row) => row.hash_prefix,
    );
    return prefixes.map((prefix) => byPrefix.get(`0x${prefix}`) ?? []);
  }

  async #readRows(state: ChainState, positions: readonly Placed[]): Promise<DetailRecord[][]> {
    const rows = await this.database.readBinary('transactions_in_full', positionParameters(state, positions));
    const byPosition = groupBy(distinctBy(rows, transactionKey), transactionKey);
    return positions.map((position) => byPosition.get(transactionKey(position)) ?? []);
  }

  async #readLogs(state: ChainState, positions: readonly Placed[]): Promise<LogRecord[][]> {
    // twice the limit, because repeated inserts leave duplicates
    const rows = await this.database.readBinary('logs_of_transactions', {
      ...positionParameters(state, positions),
      limit: 2 * maxLogs,
    });
    const byPosition = groupBy(rows, transactionKey);
    return positions.map((position) =>
      distinctBy(byPosition.get(transactionKey(position)) ?? [], byIndex).slice(0, maxLogs),
    );
  }
}

const positionParameters = (state: ChainState, positions: readonly Placed[]) => ({
  ...snapshotParameters(state),
  blocks: positions.map((position) => Number(position.block_number)),
  indexes: positions.map((position) => position.tx_index),
});

/** Returns false if logs are missing, because rows of the block were deleted during the read. */
const isComplete = ({ row, logs }: FoundTransaction, withLogs: boolean) =>
  !withLogs || logs.length === Math.min(row.log_count, maxLogs);

const byIndex = ({ log_index }: LogRecord) => String(log_index);

function estimateSize({ row, logs }: FoundTransaction): number {
  return (
    baseBytes +
    row.input.length +
    row.typed_fields.length +
    logs.reduce((sum, { data }) => sum + baseBytes + data.length, 0)
  );
}
