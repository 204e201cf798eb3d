/** On which days senders came back: sums of closed days, read once a day for what is asked, and the days behind them. */

import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { ParametersOf, RowOf } from '#sql/statement-types.ts';
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

type ReturnWindow = Omit<ParametersOf<ReturnName>, 'day_through'>;
/** Sum of a bucket; `retained` of retained_senders alone. */
type ReturnSum = RowOf<ReturnName> & Partial<RowOf<'retained_senders'>>;

export class SenderReturns {
  readonly #closed = new Cache<readonly ReturnSum[]>('closed_returns');
  readonly #live = new Cache<readonly LiveReturn[]>('open_returns');
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Of closed days alone: they stay as they are until another day is closed, or all of them anew. */
  closed(state: ChainState, name: ReturnName, window: ReturnWindow): Promise<readonly ReturnSum[]> {
    const parameters = { ...window, day_through: state.dayThrough };
    return this.#closed.of(`${name}@${JSON.stringify(parameters)}`, state, () => this.database.read(name, parameters));
  }

  /** @param fromBlock first block of no closed day */
  live(state: ChainState, fromBlock: number): Promise<readonly LiveReturn[]> {
    return this.#live.of('', state, async () => {
      const rows = await this.database.read('live_returns', {
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
