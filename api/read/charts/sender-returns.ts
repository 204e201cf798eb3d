/** On which days senders came back: sums of closed days, read once a day for what is asked, and the days behind them. */

import type { Database } from '#sql/client.ts';
import type { Parameters } from '#sql/parameters.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import { Cache } from '../../cache/cache.ts';

/** How many senders sent on a day, and on that day before it. */
export interface LiveReturn {
  /** Starts of days, Unix seconds; previous is 0 where there was none. */
  readonly day: number;
  readonly previous: number;
  /** The day before was the first of all. */
  readonly wasNew: boolean;
  readonly senders: number;
}

/** Statements that sum up what closed days add. */
export type ReturnName = 'recurring_senders' | 'churned_senders' | 'retained_senders';

/** Sum of a bucket, decimal. */
export interface ReturnSum {
  /** Start of the bucket, Unix seconds. */
  readonly time: number;
  readonly total: string;
  /** Of retained_senders alone. */
  readonly retained?: string;
}

interface LiveRecord {
  day_time: number;
  previous_time: number;
  was_new: number;
  sender_count: string;
}

export class SenderReturns {
  readonly #closed = new Cache<readonly ReturnSum[]>('closed_returns');
  readonly #live = new Cache<readonly LiveReturn[]>('open_returns');
  readonly database: Database;
  readonly statements: Statements;

  constructor(database: Database, statements: Statements) {
    this.database = database;
    this.statements = statements;
  }

  /** Of closed days alone: they stay as they are until another day is closed, or all of them anew. */
  closed(state: ChainState, name: StatementName, window: Parameters): Promise<readonly ReturnSum[]> {
    const parameters = { ...window, day_through: state.dayThrough };
    return this.#closed.of(`${name}@${JSON.stringify(parameters)}`, state, () =>
      this.database.read<ReturnSum>(getStatement(this.statements, name), parameters),
    );
  }

  /** @param fromBlock first block of no closed day */
  live(state: ChainState, fromBlock: number): Promise<readonly LiveReturn[]> {
    return this.#live.of('', state, async () => {
      const rows = await this.database.read<LiveRecord>(getStatement(this.statements, 'live_returns'), {
        ...snapshotParameters(state),
        from_block: fromBlock,
        window_day: state.dayThrough,
      });
      return rows.map((row) => ({
        day: row.day_time,
        previous: row.previous_time,
        wasNew: row.was_new === 1,
        senders: Number(row.sender_count),
      }));
    });
  }
}
