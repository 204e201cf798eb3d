import type { Database } from '#sql/client.ts';
import { statementOf } from '#sql/compile/calls.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';
import type { CacheName } from '../../cache/caches.ts';
import { type Placed, transactionKey } from './paging.ts';

/** Maximum number of rows of a request that are cached: a long list would displace all others. */
const maxCached = 1_000;

type PlacedStatement = 'calls_at' | 'transactions_at' | 'history_at';

/** Reads rows of transactions by position, one per transaction, and caches them until a reorg. */
export class PlacedReads<S extends PlacedStatement> {
  readonly #rows: Cache<BinaryRowOf<S>>;
  readonly database: Database;
  readonly statement: S;

  constructor(database: Database, statement: S, cache: CacheName) {
    this.database = database;
    this.statement = statement;
    this.#rows = new Cache(cache);
  }

  /**
   * Returns the rows by transactionKey().
   * @param places positions of transactions in blocks up to the head of `state`
   */
  async of(state: ChainState, places: readonly Placed[]): Promise<ReadonlyMap<string, BinaryRowOf<S>>> {
    const found = new Map<string, BinaryRowOf<S>>();
    const missing = new Map<string, Placed>();
    const isCached = places.length <= maxCached;
    for (const place of places) {
      const key = transactionKey(place);
      const row = isCached ? this.#rows.get(key, state) : undefined;
      if (row) found.set(key, row);
      else missing.set(key, place);
    }
    if (missing.size === 0) return found;
    for (const row of await this.#read(state, [...missing.values()])) {
      found.set(transactionKey(row), row);
      if (isCached) this.#rows.set(transactionKey(row), state, row);
    }
    return found;
  }

  #read(state: ChainState, places: readonly Placed[]): Promise<BinaryRowOf<S>[]> {
    const parameters = {
      ...snapshotParameters(state),
      blocks: places.map((place) => Number(place.block_number)),
      indexes: places.map((place) => place.tx_index),
    };
    return this.database.readBinary(statementOf(this.statement), parameters);
  }
}
