/** Pace and traffic of the last blocks, kept in memory and moved on with the head. */

import type { Database } from '#sql/client.ts';
import { firstBlockAt } from '#sql/first-block-at.ts';
import { type ChainState, isWhole, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import { Cache } from '../../cache/cache.ts';
import { readBlockRows } from './live-rows.ts';

export interface RecentActivity {
  readonly transactions24h: number;
  /** Wei. */
  readonly fees24h: bigint;
  /** Transactions per second over the last 100 blocks. */
  readonly tps: number;
  /** Seconds between blocks over the last 100; null where there is one block only. */
  readonly averageBlockTime: number | null;
}

interface RecentBlock {
  readonly number: number;
  readonly time: number;
  readonly transactions: number;
  readonly fees: bigint;
}

const daySeconds = 86_400;
/** Blocks over which the pace is taken. */
const paceBlocks = 100;
/** Blocks of a day that are held: 4 a second. */
const maxBlocks = 350_000;

type Source = { readonly database: Database; readonly statements: Statements };

export class RecentBlocks {
  readonly #activity = new Cache<RecentActivity>('recent_activity');
  #held: { readonly epoch: number; readonly version: number; readonly blocks: readonly RecentBlock[] } | undefined;
  readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }

  /** @param headTime Unix seconds of the head: the 24 hours before it count */
  activity(state: ChainState, headTime: number): Promise<RecentActivity> {
    return this.#activity.of('recent', state, async () => {
      const held = await this.#blocks(state, headTime);
      return held ? activityOf(held, state.head, headTime) : this.#fromRows(state, headTime);
    });
  }

  /** Blocks of the day before the head, or undefined where history is not whole, blocks are missing or they are too many. */
  async #blocks(state: ChainState, headTime: number): Promise<readonly RecentBlock[] | undefined> {
    const known = this.#held;
    const goesOn = known && known.epoch === state.epoch && known.version <= state.version;
    if (!isWhole(state)) return undefined;
    const last = goesOn ? known.blocks.at(-1)!.number : undefined;
    const from = last === undefined ? await this.#firstOf(state, headTime) : last + 1;
    if (state.head - from >= maxBlocks) return undefined;
    const rows = from > state.head ? [] : await readBlockRows(this.source, state, { from, to: state.head });
    if (rows.length !== Math.max(0, state.head - from + 1)) return undefined;
    const more = rows.map((row) => ({
      number: Number(row.block_number),
      time: row.timestamp,
      transactions: row.transaction_count,
      fees: BigInt(row.fees),
    }));
    const all = goesOn ? [...known.blocks, ...more] : more;
    const needed = all.findIndex(
      ({ number, time }) => time > headTime - daySeconds || number >= state.head - paceBlocks,
    );
    const blocks = all.slice(Math.max(0, needed));
    if (blocks.length > 0) this.#held = { epoch: state.epoch, version: state.version, blocks };
    return blocks;
  }

  async #firstOf(state: ChainState, headTime: number): Promise<number> {
    const first = await firstBlockAt(this.source, state, Math.max(0, headTime - daySeconds + 1));
    return Math.max(state.startBlock, Math.min(first ?? state.head, state.head - paceBlocks));
  }

  async #fromRows(state: ChainState, headTime: number): Promise<RecentActivity> {
    const [row] = await this.source.database.read<Record<string, string | number>>(
      getStatement(this.source.statements, 'recent_activity'),
      { ...snapshotParameters(state), head_time: headTime },
    );
    return {
      transactions24h: Number(row!.transactions_24h),
      fees24h: BigInt(row!.fees_24h!),
      ...paceOf(Number(row!.recent_seconds), Number(row!.recent_blocks), Number(row!.recent_transactions)),
    };
  }
}

function activityOf(blocks: readonly RecentBlock[], head: number, headTime: number): RecentActivity {
  const ofDay = blocks.filter(({ time }) => time > headTime - daySeconds);
  const recent = blocks.filter(({ number }) => number > head - Math.min(head, paceBlocks));
  const before = blocks.find(({ number }) => number >= head - Math.min(head, paceBlocks));
  return {
    transactions24h: ofDay.reduce((sum, { transactions }) => sum + transactions, 0),
    fees24h: ofDay.reduce((sum, { fees }) => sum + fees, 0n),
    ...paceOf(
      (recent.at(-1)?.time ?? 0) - (before?.time ?? 0),
      recent.length,
      recent.reduce((sum, { transactions }) => sum + transactions, 0),
    ),
  };
}

function paceOf(seconds: number, blocks: number, transactions: number) {
  return {
    tps: seconds > 0 ? transactions / seconds : 0,
    averageBlockTime: seconds > 0 && blocks > 0 ? seconds / blocks : null,
  };
}
