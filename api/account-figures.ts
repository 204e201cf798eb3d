/** What an account has done up to a state: by the engine up to the settled blocks, the rest from what is known of the unsettled ones. */
import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, eraParameters, settledPart } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from './deps.ts';
import type { HistoryRecord } from './routes/history-row.ts';

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

/** A row of account_counters. */
interface CounterRecord {
  transaction_count: string;
  sent_count: string;
  received_count: string;
  log_count: string;
  value_in: string;
  value_out: string;
  fees: string;
  first_block: string;
  last_block: string;
  first_time: number;
  last_time: number;
}

type Deps = Pick<ApiDeps, 'database' | 'statements' | 'unsettled'>;

export async function accountFigures(deps: Deps, state: ChainState, address: string): Promise<AccountFigures> {
  const unsettled = await deps.unsettled.historyOf(state, address);
  const reach = unsettled === undefined ? state : settledPart(state);
  const [row] = await deps.database.read<CounterRecord>(getStatement(deps.statements, 'account_counters'), {
    ...eraParameters(reach),
    address: hexDigits(address),
  });
  return (unsettled ?? []).reduce(withRow, figuresOf(row!));
}

function figuresOf(row: CounterRecord): AccountFigures {
  const isSeen = Number(row.transaction_count) > 0;
  return {
    ...{ transactions: Number(row.transaction_count), sent: Number(row.sent_count) },
    ...{ received: Number(row.received_count), logs: Number(row.log_count) },
    ...{ valueIn: BigInt(row.value_in), valueOut: BigInt(row.value_out), fees: BigInt(row.fees) },
    first: isSeen ? { block: Number(row.first_block), time: row.first_time } : undefined,
    last: isSeen ? { block: Number(row.last_block), time: row.last_time } : undefined,
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
