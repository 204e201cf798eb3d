/**
 * Merges internal calls into account history. The table address_roles does not contain them, because a block may be
 * traced much later than indexed.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../../cache/cache.ts';
import type { RecentHistory } from '../../../tail/recent-history.ts';
import { RecentRows } from '../../../tail/recent-rows.ts';
import type { BlockRange, Position } from '../../../terms/cursor.ts';
import { comparePlaces, type HistoryRecord } from '../../../terms/records.ts';
import { getPosition, type Placed, readDistinct, transactionKey } from '../../chain/paging.ts';
import { type PlacedReads, placedReads } from '../../chain/placed-reads.ts';
import { readWithRecent, toKey } from '../../chain/with-recent.ts';
import { allRoles, type HistoryShape, namedRoles, roleMasks } from '../history-shape.ts';
import { isTraced, type TracedReader, tracedWithin } from './traced-reader.ts';

type ReadRows = (after: Position, limit: number) => Promise<HistoryRecord[]>;

const statements = { asc: 'internal_places_asc', desc: 'internal_places_desc' } as const;

export class InternalHistory {
  readonly #recent: RecentRows<BinaryRowOf<'unfinalized_internal_places'>>;
  readonly #older = new Cache<Placed[]>('older_internal');
  readonly #transactions: PlacedReads<'history_at'>;
  readonly database: Database;
  readonly recentHistory: RecentHistory;
  readonly traced: TracedReader;

  constructor(database: Database, recentHistory: RecentHistory, traced: TracedReader, maxRows?: number) {
    this.database = database;
    this.recentHistory = recentHistory;
    this.traced = traced;

    this.#transactions = placedReads(database, 'history_at', 'placed_history');
    this.#recent = new RecentRows<BinaryRowOf<'unfinalized_internal_places'>>(
      database,
      {
        read: (after, through, limit) => database.readBinary('unfinalized_internal_places', { after, through, limit }),
        storedThrough: async (state, after) => lastTraced(await traced.ranges(state), state, after),
        getAddress: ({ address }) => address,
        compare: comparePlaces,
      },
      maxRows,
    );
  }

  /** Returns at most `limit` sorted rows, without duplicates. */
  async read(
    state: ChainState,
    shape: HistoryShape,
    readNamed: ReadRows,
    after: Position,
    limit: number,
  ): Promise<HistoryRecord[]> {
    const readPlaces = (at: Position, count: number) => this.#readPlaces(state, shape, at, count);
    const isInternalOnly = (shape.mask & namedRoles) === 0;
    const [named, positions] = await Promise.all([
      isInternalOnly ? [] : readDistinct(readNamed, after, limit, getPosition),
      readDistinct(readPlaces, after, limit, getPosition),
    ]);
    const rows = new Map<string, HistoryRecord | Placed>(
      positions.map((position) => [transactionKey(position), position]),
    );
    for (const row of named) {
      const isInternal = rows.has(transactionKey(row));
      rows.set(transactionKey(row), isInternal ? { ...row, roles: row.roles | roleMasks.internal } : row);
    }
    const sign = shape.order === 'asc' ? 1 : -1;
    const page = [...rows.values()].sort((a, b) => sign * comparePlaces(a, b)).slice(0, limit);
    const internalOnly = page.filter((row) => !('tx_hash' in row));
    const complete = await this.#readTransactions(state, shape, internalOnly);
    return page.map((row) =>
      'tx_hash' in row ? row : known(complete.get(transactionKey(row)), 'the transaction of an internal call'),
    );
  }

  /** Same as AccountHistory.creationKey(), for internal calls. @param floor last block that is not in memory */
  async creationKey(state: ChainState, address: string, floor: number): Promise<string | undefined> {
    const ranges = await this.traced.ranges(state);
    const keyAt = (block: number) => `${block} ${JSON.stringify(tracedWithin(ranges, state, 0, block))}`;
    if (tracedWithin(ranges, state, floor + 1, state.head).length === 0) return keyAt(floor);
    const recent = await this.#recentIn(state, ranges);
    if (!recent || recent.of(address).some(({ is_creation }) => is_creation === 1)) return undefined;
    return keyAt(recent.floor);
  }

  /** @returns undefined if the cache lacks a traced block */
  async #recentIn(state: ChainState, ranges: readonly BlockRange[]) {
    const recent = await this.#recent.at(state);
    return recent && tracedWithin(ranges, state, recent.through + 1, state.head).length === 0 ? recent : undefined;
  }

  async #readPlaces(state: ChainState, shape: HistoryShape, after: Position, limit: number): Promise<Placed[]> {
    const ranges = await this.traced.ranges(state);
    return readWithRecent<Placed, Placed>(
      { ...shape, key: toKey(shape), after, limit, state },
      {
        recent: async () => {
          const recent = await this.#recentIn(state, ranges);
          if (!recent) return undefined;
          const { floor } = recent;
          // later traces can add rows to older blocks
          const canCacheOlder = isTraced(ranges, state, state.startBlock, floor);
          return { floor, rows: recent.of(shape.address), canCacheOlder };
        },
        getPosition,
        select: (row) => row,
        read: (part, toBlock, count) => this.#readStored(part, { ...shape, toBlock }, after, count),
        older: this.#older,
      },
    );
  }

  async #readStored(
    state: ChainState,
    { address, fromBlock, toBlock, order }: HistoryShape,
    after: Position,
    limit: number,
  ): Promise<Placed[]> {
    if (fromBlock > toBlock) return [];
    return this.database.readBinary(statements[order], {
      ...snapshotParameters(state),
      address: hexDigits(address),
      from_block: fromBlock,
      to_block: toBlock,
      at_block: after.block,
      at_index: after.index,
      limit,
    });
  }

  async #readTransactions(
    state: ChainState,
    { address, mask }: HistoryShape,
    positions: readonly Placed[],
  ): Promise<ReadonlyMap<string, HistoryRecord>> {
    if (positions.length === 0) return new Map();
    const findRecent = await this.recentHistory.transactionsAt(state);
    const recent = positions.flatMap((position) => findRecent(transactionKey(position)) ?? []);
    const found = new Set(recent.map(transactionKey));
    const [older, named] = await Promise.all([
      this.#transactions.of(
        positions.map(transactionKey).filter((key) => !found.has(key)),
        state,
      ),
      mask === allRoles ? undefined : this.#readRoles(state, address, positions),
    ]);
    return new Map(
      [...recent, ...older.values()].map((row) => {
        const key = transactionKey(row);
        return [key, { ...row, roles: roleMasks.internal | (named?.get(key) ?? 0) }];
      }),
    );
  }

  async #readRoles(state: ChainState, address: string, positions: readonly Placed[]): Promise<Map<string, number>> {
    const rows = await this.database.readBinary('roles_at', {
      ...snapshotParameters(state),
      blocks: positions.map((position) => Number(position.block_number)),
      indexes: positions.map((position) => position.tx_index),
      address: hexDigits(address),
    });
    return new Map(rows.map((row) => [transactionKey(row), row.roles]));
  }
}

/** Returns the end of the traced blocks that follow `after` without a gap. */
function lastTraced(ranges: readonly BlockRange[], state: ChainState, after: number): number {
  const own = ranges.find((range) => range.from <= after + 1 && after + 1 <= range.to);
  return own ? Math.min(own.to, state.head) : after;
}
