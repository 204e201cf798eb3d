import { hexDigits } from '#chain/codec/hex.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { Cache } from '../../cache/cache.ts';
import { type RecentHistory, type RecentRecord, toHistory } from '../../tail/recent-history.ts';
import type { Position } from '../../terms/cursor.ts';
import type { HistoryRecord } from '../../terms/records.ts';
import type { BlockWindow } from '../chain/block-window.ts';
import { getPosition, type SortOrder } from '../chain/paging.ts';
import { planScan, type Scan, type ScanDeps } from '../chain/scan-budget.ts';
import { readWithRecent, toKey } from '../chain/with-recent.ts';
import { type HistoryShape, namedRoles, roleMasks } from './history-shape.ts';
import { InternalHistory } from './internal-calls/internal-history.ts';
import { type TracedReader, tracedWithin } from './internal-calls/traced-reader.ts';

export interface HistoryDeps {
  readonly accountHistory: AccountHistory;
  readonly traced: TracedReader;
}

const history = { asc: 'history_asc', desc: 'history_desc' } as const;
const scanned = { asc: 'scan_history_asc', desc: 'scan_history_desc' } as const;

export class AccountHistory {
  readonly #older = new Cache<HistoryRecord[]>('older_history');
  readonly #internal: InternalHistory;
  readonly database: Database;
  readonly recentHistory: RecentHistory;
  readonly traced: TracedReader;

  /** @param maxRows maximum number of internal transfers in memory */
  constructor(database: Database, recentHistory: RecentHistory, traced: TracedReader, maxRows?: number) {
    this.database = database;
    this.recentHistory = recentHistory;
    this.traced = traced;

    this.#internal = new InternalHistory(database, recentHistory, traced, maxRows);
  }

  /** Returns at most `limit` sorted rows, which can contain duplicates. */
  async read(state: ChainState, shape: HistoryShape, after: Position, limit: number): Promise<HistoryRecord[]> {
    const roleRows = (shape.mask & namedRoles) === 0 ? [] : this.#readRoles(state, shape, after, limit);
    if ((shape.mask & roleMasks.internal) === 0) return roleRows;
    const [rows, ranges] = await Promise.all([roleRows, this.traced.ranges(state)]);
    if (tracedWithin(ranges, state, shape.fromBlock, shape.toBlock).length === 0) return rows;
    const readNamed = async (at: Position, count: number) =>
      at === after && count === limit ? rows : this.#readRoles(state, shape, at, count);
    return this.#internal.read(state, shape, readNamed, after, limit);
  }

  /**
   * Returns a cache key for the older creations of a contract. The key changes when new blocks or traces can add one.
   * @returns undefined if the newest blocks contain a creation of the contract, or are not in memory
   */
  async creationKey(state: ChainState, address: string): Promise<string | undefined> {
    const recent = await this.recentHistory.readNewest(state, address);
    if (!recent || recent.rows.some(({ contract_address }) => contract_address === address.toLowerCase()))
      return undefined;
    const internal = await this.#internal.creationKey(state, address, recent.floor);
    return internal && `${recent.floor} ${internal}`;
  }

  #readRoles(state: ChainState, shape: HistoryShape, after: Position, limit: number): Promise<HistoryRecord[]> {
    return readWithRecent<HistoryRecord, RecentRecord>(
      { ...shape, key: toKey(shape), after, limit, state },
      {
        recent: () => this.recentHistory.readNewest(state, shape.address),
        getPosition,
        select: (row) => (isSelected(row, shape) ? toHistory(row) : undefined),
        read: (part, toBlock, count) => this.#readStored(part, { ...shape, toBlock }, after, count),
        older: this.#older,
      },
    );
  }

  async #readStored(state: ChainState, shape: HistoryShape, after: Position, limit: number): Promise<HistoryRecord[]> {
    const { address, fromBlock, toBlock, order, mask, minValue, method, counterparty } = shape;
    const upTo = Math.min(toBlock, state.head);
    if (fromBlock > upTo) return [];
    const conditions = {
      ...(minValue === undefined ? {} : { min_value: minValue }),
      ...(method === undefined ? {} : { method }),
      ...(counterparty === undefined ? {} : { counterparty: hexDigits(counterparty) }),
    };
    const parameters = {
      ...conditions,
      ...snapshotParameters(state),
      address: hexDigits(address),
      from_block: fromBlock,
      to_block: upTo,
      role_mask: mask & namedRoles,
      at_block: after.block,
      at_index: after.index,
      limit,
    };
    return this.database.readBinary(history[order], parameters, Object.keys(conditions) as (keyof typeof conditions)[]);
  }
}

/** Returns the recipient or created contract; null if the creation failed. */
const getRecipient = ({ to, status, contract_address }: RecentRecord) => to ?? (status === 0 ? null : contract_address);

function isSelected(row: RecentRecord, { mask, minValue, method, counterparty }: HistoryShape): boolean {
  return (
    (row.roles & mask & namedRoles) !== 0 &&
    (minValue === undefined || BigInt(row.value) >= BigInt(minValue)) &&
    (method === undefined || row.method_id === `0x${method}`) &&
    (counterparty === undefined || row.from === counterparty || getRecipient(row) === counterparty)
  );
}

export function planHistoryScan(
  deps: ScanDeps,
  state: ChainState,
  { address, order, window }: { address: string; order: SortOrder; window: BlockWindow },
  after: Position,
): Promise<Scan> {
  return planScan(deps, state, { order, window }, after, (bounds) =>
    deps.database.read(scanned[order], { ...bounds, address: hexDigits(address) }),
  );
}
