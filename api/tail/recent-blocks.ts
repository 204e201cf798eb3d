/** The blocks of the last 24 hours are cached in memory, and each new block is added. */
import type { Database } from '#sql/client.ts';
import { firstBlockAt } from '#sql/first-block-at.ts';
import { type ChainState, isWhole, snapshotParameters } from '#sql/snapshot.ts';

export interface RecentActivity {
  readonly transactions24h: number;
  /** Wei. */
  readonly fees24h: bigint;
  /** Transactions per second over the last 100 blocks. */
  readonly tps: number;
  /** Average block time over the last 100 blocks, seconds; null if there is only one block. */
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
const paceBlocks = 100;

export class RecentBlocks {
  /** Blocks of the last 24 hours without gaps, at least the last `paceBlocks` blocks. */
  #cached:
    | { readonly reorgGeneration: number; readonly version: number; readonly blocks: readonly RecentBlock[] }
    | undefined;
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** @param headTime time of the newest block, Unix seconds */
  async activity(state: ChainState, headTime: number): Promise<RecentActivity> {
    return summarize(await this.#blocks(state, headTime), state.head, headTime);
  }

  async #blocks(state: ChainState, headTime: number): Promise<readonly RecentBlock[]> {
    const known = this.#cached;
    const isContinued =
      known && isWhole(state) && known.reorgGeneration === state.reorgGeneration && known.version <= state.version;
    const earlier = isContinued ? known.blocks : [];
    const last = earlier.at(-1)?.number;
    const from = last === undefined ? await this.#findFirst(state, headTime) : last + 1;
    const more = from > state.head ? [] : await this.#read(state, from);
    const blocks = [...earlier, ...more].filter(
      ({ number, time }) => time > headTime - daySeconds || number >= state.head - paceBlocks,
    );
    // caches nothing if a block is missing, so that the next call reads all blocks again
    const canCache = isWhole(state) && more.length === Math.max(0, state.head - from + 1);
    this.#cached = canCache ? { reorgGeneration: state.reorgGeneration, version: state.version, blocks } : undefined;
    return blocks;
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

/** @param blocks lowest block first */
function summarize(blocks: readonly RecentBlock[], head: number, headTime: number): RecentActivity {
  const ofDay = blocks.filter(({ time }) => time > headTime - daySeconds);
  const recent = blocks.filter(({ number }) => number > head - Math.min(head, paceBlocks));
  const before = blocks.find(({ number }) => number >= head - Math.min(head, paceBlocks));
  const seconds = (recent.at(-1)?.time ?? 0) - (before?.time ?? 0);
  const transactions = recent.reduce((sum, block) => sum + block.transactions, 0);
  return {
    transactions24h: ofDay.reduce((sum, block) => sum + block.transactions, 0),
    fees24h: ofDay.reduce((sum, { fees }) => sum + fees, 0n),
    tps: seconds > 0 ? transactions / seconds : 0,
    averageBlockTime: seconds > 0 && recent.length > 0 ? seconds / recent.length : null,
  };
}
