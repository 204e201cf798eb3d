/** Account history of the newest blocks, in memory. */

import type { Database } from '#sql/client.ts';
import { type ChainState, finalizedPart } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { comparePlaces, type HistoryRecord } from '../terms/records.ts';
import { type Newest, RecentRows } from './recent-rows.ts';

export type RecentRecord = BinaryRowOf<'unfinalized_history'>;

/** Counters of an account, from the SQL fragment role_figures; amounts in wei. */
export type RoleFigures = Pick<
  RecentRecord | BinaryRowOf<'closed_account'>,
  'sent_count' | 'received_count' | 'log_count' | 'value_in' | 'value_out' | 'fees'
>;

type Placed = Pick<HistoryRecord, 'block_number' | 'tx_index'>;

export class RecentHistory {
  readonly #rows: RecentRows<RecentRecord>;
  readonly database: Database;

  constructor(database: Database, maxRows?: number) {
    this.database = database;

    this.#rows = new RecentRows<RecentRecord>(
      database,
      {
        read: (after, through, limit) => database.readBinary('unfinalized_history', { after, through, limit }),
        getAddress: ({ address }) => address,
        compare: comparePlaces,
        getKeys: ({ tx_hash, block_number, tx_index }) => [tx_hash, `${block_number}:${tx_index}`],
      },
      maxRows,
    );
  }

  /**
   * Looks for a transaction in the newest blocks. Returns its position, and the state to use for reading it. If no
   * unfinalized block contains the transaction, this state ends at the finalized block.
   */
  async findHash(state: ChainState, hash: string): Promise<{ readonly state: ChainState; readonly place?: Placed }> {
    const recent = await this.#rows.at(state);
    if (!recent) return { state };
    const place = recent.find(hash.toLowerCase());
    if (!place) return { state: finalizedPart(state) };
    return { state: Number(place.block_number) > state.finalized ? state : finalizedPart(state), place };
  }

  /**
   * Returns `state`, cut after the last unfinalized block in which one of the contracts took part, or after the
   * finalized block.
   */
  async getStateForEmitters(state: ChainState, addresses: readonly string[]): Promise<ChainState> {
    const recent = await this.#rows.at(state);
    if (!recent) return state;
    const blocks = addresses.map((address) => Number(recent.last(address)?.block_number ?? 0));
    return { ...state, head: Math.max(state.finalized, ...blocks) };
  }

  /**
   * Returns the unfinalized blocks in which an account took part, one entry per transaction, lowest first.
   * @returns undefined as readNewest()
   */
  async readBlocks(state: ChainState, address: string): Promise<readonly number[] | undefined> {
    const recent = await this.#rows.at(state);
    const blocks = recent?.of(address).map(({ block_number }) => Number(block_number));
    return blocks?.filter((block) => block > state.finalized);
  }

  /**
   * Returns an account's transactions in the newest blocks, with what they add to its counters.
   * @returns undefined if `state` is outdated, or the cache has too many rows
   */
  readNewest(state: ChainState, address: string): Promise<Newest<RecentRecord> | undefined> {
    return this.#rows.readNewest(state, address);
  }

  /** Returns transactions of the newest blocks by `block:index`, with roles 0. */
  async transactionsAt(state: ChainState): Promise<(key: string) => HistoryRecord | undefined> {
    const recent = await this.#rows.at(state);
    return (key) => {
      const row = recent?.find(key);
      return row && { ...toHistory(row), roles: 0 };
    };
  }
}

/** Removes the counters. */
export function toHistory(all: RecentRecord): HistoryRecord {
  const { address: _, sent_count, received_count, log_count, value_in, value_out, fees, ...row } = all;
  return row;
}
