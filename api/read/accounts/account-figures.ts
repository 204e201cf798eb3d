/**
 * Sums account counters of stored rollup windows (2,000 blocks each), of later stored blocks, and of the newest blocks,
 * which are in memory.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { distinctBy } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, finalizedPart, isWhole, rollupParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';
import type { RecentHistory, RecentRecord, RoleFigures } from '../../tail/recent-history.ts';

/** Amounts are in wei. */
export interface AccountFigures {
  readonly transactions: number;
  readonly sent: number;
  readonly received: number;
  readonly logs: number;
  readonly valueIn: bigint;
  readonly valueOut: bigint;
  readonly fees: bigint;
  readonly first: Moment | undefined;
  readonly last: Moment | undefined;
}

export interface Moment {
  readonly block: number;
  /** Block time, Unix seconds. */
  readonly time: number;
}

type WindowRecord = BinaryRowOf<'closed_account'>;

const none: AccountFigures = {
  transactions: 0,
  sent: 0,
  received: 0,
  logs: 0,
  valueIn: 0n,
  valueOut: 0n,
  fees: 0n,
  first: undefined,
  last: undefined,
};

export class AccountFiguresReader {
  readonly #older = new Cache<AccountFigures>('older_accounts');
  readonly database: Database;
  readonly recentHistory: RecentHistory;

  constructor(database: Database, recentHistory: RecentHistory) {
    this.database = database;
    this.recentHistory = recentHistory;
  }

  async read(state: ChainState, address: string): Promise<AccountFigures> {
    const recent = await this.recentHistory.readNewest(state, address);
    if (!recent) return this.#readStored(state, address, state.head);
    const { floor, rows } = recent;
    const readOlder = () => this.#readStored(finalizedPart(state), address, floor);
    const older = isWhole(state) ? await this.#older.of(`${address} ${floor}`, state, readOlder) : await readOlder();
    // the stored totals may already include blocks that are in memory
    return rows.filter(({ block_number }) => Number(block_number) >= state.rollupThrough).reduce(withRow, older);
  }

  /** Sums stored rollup windows and later blocks up to `toBlock`. */
  async #readStored(state: ChainState, address: string, toBlock: number): Promise<AccountFigures> {
    const parameters = { ...rollupParameters(state), address: hexDigits(address) };
    const [closed, open] = await Promise.all([
      this.database.readBinary('closed_account', parameters),
      this.database.readBinary('account_counters', { ...parameters, to_block: toBlock }),
    ]);
    return open.reduce(withWindow, addWindows(closed));
  }
}

const addWindows = (windows: readonly WindowRecord[]) => distinctBy(windows, ({ era }) => era).reduce(withWindow, none);

function withWindow(figures: AccountFigures, era: WindowRecord): AccountFigures {
  const first = { block: Number(era.first_block), time: era.first_time };
  const last = { block: Number(era.last_block), time: era.last_time };
  return add(figures, Number(era.transaction_count), era, first, last);
}

function withRow(figures: AccountFigures, row: RecentRecord): AccountFigures {
  const moment = { block: Number(row.block_number), time: row.timestamp };
  return add(figures, 1, row, moment, moment);
}

function add(
  sum: AccountFigures,
  transactions: number,
  more: RoleFigures,
  first: Moment,
  last: Moment,
): AccountFigures {
  return {
    transactions: sum.transactions + transactions,
    sent: sum.sent + Number(more.sent_count),
    received: sum.received + Number(more.received_count),
    logs: sum.logs + Number(more.log_count),
    valueIn: sum.valueIn + BigInt(more.value_in),
    valueOut: sum.valueOut + BigInt(more.value_out),
    fees: sum.fees + BigInt(more.fees),
    first: sum.first && sum.first.block <= first.block ? sum.first : first,
    last: sum.last && sum.last.block >= last.block ? sum.last : last,
  };
}
