import type { Database } from '#sql/client.ts';
import { firstBlockAt } from '#sql/first-block-at.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { BlockRows } from './block-rows.ts';

export interface RecentActivity {
  readonly transactions24h: number;
  /** Wei. */
  readonly fees24h: bigint;
  /** Over the last 100 blocks. */
  readonly tps: number;
  /** Over the last 100 blocks, seconds; null if unknown. */
  readonly averageBlockTime: number | null;
}

interface RecentBlock {
  readonly number: number;
  /** Unix seconds. */
  readonly time: number;
  readonly transactions: number;
  /** Wei. */
  readonly fees: bigint;
}

const daySeconds = 86_400;
/** Newest blocks for `tps` and `averageBlockTime`. */
export const paceBlocks = 100;

export class RecentBlocks {
  /** Last 24 hours without gaps, at least the last `paceBlocks` blocks. */
  readonly #blocks: BlockRows<RecentBlock>;
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
    this.#blocks = new BlockRows({
      read: (state, from) => this.#read(state, from),
      getNumber: ({ number }) => number,
    });
  }

  /** @param headTime time of the newest block, Unix seconds */
  async activity(state: ChainState, headTime: number): Promise<RecentActivity> {
    const keep = ({ time, number }: RecentBlock) => time > headTime - daySeconds || number >= state.head - paceBlocks;
    return summarize(await this.#blocks.of(state, () => this.#findFirst(state, headTime), keep), state.head, headTime);
  }

  async #findFirst(state: ChainState, headTime: number): Promise<number> {
    const first = await firstBlockAt(this, state, Math.max(0, headTime - daySeconds + 1));
    return Math.max(state.startBlock, Math.min(first ?? state.head, state.head - paceBlocks));
  }

  async #read(state: ChainState, from: number): Promise<RecentBlock[]> {
    const parameters = { ...snapshotParameters(state), from_block: from, to_block: state.head };
    const rows = await this.database.readBinary('recent_blocks', parameters);
    return rows.map((row) => ({
      number: Number(row.block_number),
      time: row.timestamp,
      transactions: row.transaction_count,
      fees: BigInt(row.fees),
    }));
  }
}

/** @param blocks lowest first */
function summarize(blocks: readonly RecentBlock[], head: number, headTime: number): RecentActivity {
  const ofDay = blocks.filter(({ time }) => time > headTime - daySeconds);
  // the genesis block of many private chains is from 1970, so the pace begins after it
  const before = blocks.find(({ number, time }) => number >= head - paceBlocks && time > 0);
  const recent = before ? blocks.filter(({ number }) => number > before.number) : [];
  const seconds = (recent.at(-1)?.time ?? 0) - (before?.time ?? 0);
  const transactions = recent.reduce((sum, block) => sum + block.transactions, 0);
  return {
    transactions24h: ofDay.reduce((sum, block) => sum + block.transactions, 0),
    fees24h: ofDay.reduce((sum, { fees }) => sum + fees, 0n),
    tps: seconds > 0 ? transactions / seconds : 0,
    averageBlockTime: seconds > 0 && recent.length > 0 ? seconds / recent.length : null,
  };
}
