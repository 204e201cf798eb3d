/**
 * What an account has done up to a state: in closed eras, which is kept, in settled blocks behind them, and in the unsettled ones,
 * whose history is in memory.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { distinctBy } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import type { Parameters } from '#sql/parameters.ts';
import { type ChainState, eraParameters, settledPart } from '#sql/snapshot.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import { Cache } from '../../cache/cache.ts';
import type { UnsettledReader } from '../../tail/unsettled.ts';
import type { HistoryRecord } from '../../terms/records/history-record.ts';

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

/** A row of closed_account or account_counters: what an account did in an era. */
interface EraRecord {
  readonly era: string;
  readonly transaction_count: string;
  readonly sent_count: string;
  readonly received_count: string;
  readonly log_count: string;
  readonly value_in: string;
  readonly value_out: string;
  readonly fees: string;
  readonly first_block: string;
  readonly last_block: string;
  readonly first_time: number;
  readonly last_time: number;
}

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
  readonly statements: Statements;
  readonly unsettled: UnsettledReader;

  constructor(database: Database, statements: Statements, unsettled: UnsettledReader) {
    this.database = database;
    this.statements = statements;
    this.unsettled = unsettled;
  }

  async read(state: ChainState, address: string): Promise<AccountFigures> {
    const unsettled = await this.unsettled.historyOf(state, address);
    const reach = unsettled === undefined ? state : settledPart(state);
    const parameters = { ...eraParameters(reach), address: hexDigits(address) };
    const [closed, open] = await Promise.all([
      this.#closed.of(parameters.address, state, async () => sumOf(await this.#rows('closed_account', parameters))),
      this.#rows('account_counters', parameters),
    ]);
    return (unsettled ?? []).reduce(withRow, open.reduce(withEra, closed));
  }

  #rows(name: StatementName, parameters: Parameters): Promise<EraRecord[]> {
    return this.database.readBinary<EraRecord>(getStatement(this.statements, name), parameters);
  }
}

const sumOf = (eras: readonly EraRecord[]) => distinctBy(eras, ({ era }) => era).reduce(withEra, none);

function withEra(figures: AccountFigures, era: EraRecord): AccountFigures {
  const first = { block: Number(era.first_block), time: era.first_time };
  const last = { block: Number(era.last_block), time: era.last_time };
  return {
    transactions: figures.transactions + Number(era.transaction_count),
    sent: figures.sent + Number(era.sent_count),
    received: figures.received + Number(era.received_count),
    logs: figures.logs + Number(era.log_count),
    valueIn: figures.valueIn + BigInt(era.value_in),
    valueOut: figures.valueOut + BigInt(era.value_out),
    fees: figures.fees + BigInt(era.fees),
    first: figures.first && figures.first.block <= first.block ? figures.first : first,
    last: figures.last && figures.last.block >= last.block ? figures.last : last,
  };
}

/** As the fragment account_counters adds a row; rows come oldest first. */
function withRow(figures: AccountFigures, row: HistoryRecord): AccountFigures {
  const [isFrom, isTo, isLog] = [row.roles & 1, row.roles & 2, row.roles & 4];
  const value = row.status === 0 ? 0n : BigInt(row.value);
  const moment = { block: Number(row.block_number), time: row.timestamp };
  return {
    transactions: figures.transactions + 1,
    sent: figures.sent + (isFrom ? 1 : 0),
    received: figures.received + (isTo ? 1 : 0),
    logs: figures.logs + (isLog ? 1 : 0),
    valueIn: figures.valueIn + (isTo ? value : 0n),
    valueOut: figures.valueOut + (isFrom ? value : 0n),
    fees: figures.fees + (isFrom ? BigInt(row.fee) : 0n),
    first: figures.first ?? moment,
    last: moment,
  };
}
