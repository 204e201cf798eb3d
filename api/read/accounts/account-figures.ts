/**
 * What an account has done up to a state: in closed eras, which is kept, in settled blocks behind them, and in the unsettled ones,
 * whose history is in memory.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { distinctBy } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, finalizedPart, rollupParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';
import type { RoleFigures, UnfinalizedFigures, UnfinalizedReader } from '../../tail/unfinalized.ts';

/** Figures of an account; sums in wei. */
export interface AccountFigures {
  readonly transactions: number;
  readonly sent: number;
  readonly received: number;
  readonly logs: number;
  readonly valueIn: bigint;
  readonly valueOut: bigint;
  readonly fees: bigint;
  /** Undefined where it was never seen. */
  readonly first: Moment | undefined;
  readonly last: Moment | undefined;
}

/** A block, and its time in Unix seconds. */
export interface Moment {
  readonly block: number;
  readonly time: number;
}

type EraRecord = BinaryRowOf<'closed_account'>;

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
  readonly #closed = new Cache<AccountFigures>('closed_accounts');
  readonly database: Database;
  readonly unfinalized: UnfinalizedReader;

  constructor(database: Database, unfinalized: UnfinalizedReader) {
    this.database = database;
    this.unfinalized = unfinalized;
  }

  async read(state: ChainState, address: string): Promise<AccountFigures> {
    const unfinalized = await this.unfinalized.figuresOf(state, address);
    const reach = unfinalized === undefined ? state : finalizedPart(state);
    const parameters = { ...rollupParameters(reach), address: hexDigits(address) };
    const readClosed = async () => sumOf(await this.database.readBinary('closed_account', parameters));
    const [closed, open] = await Promise.all([
      this.#closed.of(parameters.address, state, readClosed),
      this.database.readBinary('account_counters', parameters),
    ]);
    return (unfinalized ?? []).reduce(withRow, open.reduce(withEra, closed));
  }
}

const sumOf = (eras: readonly EraRecord[]) => distinctBy(eras, ({ era }) => era).reduce(withEra, none);

function withEra(figures: AccountFigures, era: EraRecord): AccountFigures {
  const first = { block: Number(era.first_block), time: era.first_time };
  const last = { block: Number(era.last_block), time: era.last_time };
  return add(figures, Number(era.transaction_count), era, first, last);
}

function withRow(figures: AccountFigures, row: UnfinalizedFigures): AccountFigures {
  const moment = { block: Number(row.block_number), time: row.timestamp };
  return add(figures, 1, row, moment, moment);
}

function add(
  known: AccountFigures,
  transactions: number,
  more: RoleFigures,
  first: Moment,
  last: Moment,
): AccountFigures {
  return {
    transactions: known.transactions + transactions,
    sent: known.sent + Number(more.sent_count),
    received: known.received + Number(more.received_count),
    logs: known.logs + Number(more.log_count),
    valueIn: known.valueIn + BigInt(more.value_in),
    valueOut: known.valueOut + BigInt(more.value_out),
    fees: known.fees + BigInt(more.fees),
    first: known.first && known.first.block <= first.block ? known.first : first,
    last: known.last && known.last.block >= last.block ? known.last : last,
  };
}
