import type { Database } from '#sql/client.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { maxCachedRows } from '../../cache/cache.ts';
import type { CacheName } from '../../cache/caches.ts';
import { KeyedReads } from '../../cache/keyed-reads.ts';
import { transactionKey } from './paging.ts';

type PlacedStatement = 'calls_at' | 'transactions_at' | 'history_at';

/** Reads one row per transaction by transactionKey(). The blocks must not be above the head. */
export type PlacedReads<S extends PlacedStatement> = KeyedReads<BinaryRowOf<S>, ChainState>;

export const placedReads = <S extends PlacedStatement>(
  database: Database,
  statement: S,
  cache: CacheName,
): PlacedReads<S> =>
  new KeyedReads<BinaryRowOf<S>, ChainState>(
    cache,
    async (keys, state) => {
      const places = keys.map((key) => key.split(':').map(Number));
      const rows = await database.readBinary<BinaryRowOf<S>>(resolveStatement(statement), {
        ...snapshotParameters(state),
        blocks: places.map(([block = 0]) => block),
        indexes: places.map(([, index = 0]) => index),
      });
      return new Map(rows.map((row) => [transactionKey(row), row]));
    },
    { cachesAbsent: false, maxKeys: maxCachedRows },
  );
