/** Reads how many senders send again on a later day. */

import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { ParametersOf, RowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';

export interface LiveReturn {
  /** Start of this and the sender's previous active day, Unix seconds; `previous` is 0 for new senders. */
  readonly day: number;
  readonly previous: number;
  readonly wasNew: boolean;
  readonly senders: number;
}

export type ReturnName = 'recurring_senders' | 'churned_senders' | 'retained_senders';

type ReturnWindow = Omit<ParametersOf<ReturnName>, 'day_through'>;
type ReturnSum = RowOf<ReturnName> & Partial<RowOf<'retained_senders'>>;

export class SenderReturns {
  readonly #closed = new Cache<readonly ReturnSum[]>('closed_returns');
  readonly #live = new Cache<readonly LiveReturn[]>('open_returns');
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  closed(state: ChainState, name: ReturnName, window: ReturnWindow): Promise<readonly ReturnSum[]> {
    const parameters = { ...window, day_through: state.dayThrough };
    return this.#closed.of(`${name}@${JSON.stringify(parameters)}`, state, () => this.database.read(name, parameters));
  }

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
