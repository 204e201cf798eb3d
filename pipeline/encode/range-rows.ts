import { InvalidChainData } from '#chain/errors.ts';
import { type Interval, mergeIntervals } from '#chain/intervals.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { EncodeError, RowWriter } from '#sql/row-writer.ts';
import { encodeBlock } from './encode-block.ts';
import { encodeCalls } from './encode-calls.ts';

export const baseTables = [
  'blocks',
  'transactions',
  'logs',
  'address_roles',
  'block_figures',
  'internal_calls',
  'block_traces',
] as const;
export type BaseTable = (typeof baseTables)[number];

export interface RangeSummary {
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly transactionCount: number;
  readonly logCount: number;
  readonly roleCount: number;
  readonly gasUsed: number;
  readonly parentHash: string;
  readonly lastHash: string;
  /** Unix seconds. */
  readonly firstTime: number;
  readonly lastTime: number;
}

/** @throws InvalidChainData */
export function encodeRange(bundles: readonly BlockBundle[], final: 0 | 1): RangeRows {
  const rows = new RangeRows(final, expectedBytes(bundles));
  for (const bundle of bundles) rows.add(bundle);
  return rows;
}

/** Estimates encoded bytes per table, slightly too high: a full buffer must be copied to grow. */
function expectedBytes(bundles: readonly BlockBundle[]): Record<BaseTable, number> {
  const transactions = bundles.reduce((sum, { receipts }) => sum + receipts.length, 0);
  const logs = bundles.reduce((sum, { receipts }) => sum + receipts.reduce((all, { logs }) => all + logs.length, 0), 0);
  return {
    blocks: 1_024 * bundles.length,
    transactions: 1_024 + 512 * transactions,
    logs: 1_024 + 384 * logs,
    address_roles: 1_024 + 384 * (3 * transactions + logs),
    block_figures: 512 * bundles.length + 192 * transactions + 32 * logs,
    internal_calls: 0,
    block_traces: 0,
  };
}

/** Rows of a range, to send between threads. */
export interface RangeMessage {
  readonly final: 0 | 1;
  readonly tables: Readonly<Record<BaseTable, { readonly bytes: Uint8Array<ArrayBuffer>; readonly rows: number }>>;
  readonly summary: RangeSummary;
  readonly traced: readonly Interval[];
}

/** Encoded rows of consecutive blocks, about 1 kB per transaction. */
export class RangeRows {
  readonly writers: Record<BaseTable, RowWriter>;
  #from = -1;
  #to = -1;
  #gasUsed = 0;
  #parentHash = '';
  #lastHash = '';
  #firstTime = 0;
  #lastTime = 0;
  #traced: Interval[] = [];
  readonly final: 0 | 1;

  /** @param bytes expected bytes per table; not needed if only append() adds rows */
  constructor(final: 0 | 1, bytes: Partial<Record<BaseTable, number>> = {}) {
    this.final = final;

    const writers = baseTables.map((table) => [table, new RowWriter(bytes[table] ?? 0)]);
    this.writers = Object.fromEntries(writers) as Record<BaseTable, RowWriter>;
  }

  static fromMessage({ final, tables, summary, traced }: RangeMessage): RangeRows {
    const range = new RangeRows(final);
    for (const table of baseTables) range.writers[table] = RowWriter.from(tables[table].bytes, tables[table].rows);
    range.#from = summary.fromBlock;
    range.#to = summary.toBlock;
    range.#gasUsed = summary.gasUsed;
    range.#parentHash = summary.parentHash;
    range.#lastHash = summary.lastHash;
    range.#firstTime = summary.firstTime;
    range.#lastTime = summary.lastTime;
    range.#traced = [...traced];
    return range;
  }

  /** Don't use the rows afterwards: their memory can move to another thread. */
  toMessage(): RangeMessage {
    const tables = baseTables.map((table) => {
      const { rows } = this.writers[table];
      return [table, { bytes: ownMemory(this.writers[table].view()), rows }];
    });
    return {
      final: this.final,
      tables: Object.fromEntries(tables) as RangeMessage['tables'],
      summary: this.summary,
      traced: this.#traced,
    };
  }

  get traced(): readonly Interval[] {
    return this.#traced;
  }

  get isEmpty(): boolean {
    return this.#from < 0;
  }

  get rows(): number {
    const { address_roles, logs, blocks, internal_calls } = this.writers;
    return Math.max(address_roles.rows, logs.rows, blocks.rows, internal_calls.rows);
  }

  get bytes(): number {
    return baseTables.reduce((sum, table) => sum + this.writers[table].bytes, 0);
  }

  get summary(): RangeSummary {
    return {
      fromBlock: this.#from,
      toBlock: this.#to,
      transactionCount: this.writers.transactions.rows,
      logCount: this.writers.logs.rows,
      roleCount: this.writers.address_roles.rows,
      gasUsed: this.#gasUsed,
      parentHash: this.#parentHash,
      lastHash: this.#lastHash,
      firstTime: this.#firstTime,
      lastTime: this.#lastTime,
    };
  }

  append(next: RangeRows): void {
    const { fromBlock, toBlock, parentHash, lastHash, gasUsed, firstTime, lastTime } = next.summary;
    if (!this.isEmpty && (fromBlock !== this.#to + 1 || parentHash !== this.#lastHash)) {
      throw new InvalidChainData(
        'parent_link',
        fromBlock,
        `the block has parent ${parentHash}, but block ${this.#to} has hash ${this.#lastHash}`,
      );
    }
    for (const table of baseTables) this.writers[table].append(next.writers[table]);
    if (this.isEmpty) {
      this.#from = fromBlock;
      this.#parentHash = parentHash;
      this.#firstTime = firstTime;
    }
    this.#to = toBlock;
    this.#lastHash = lastHash;
    this.#lastTime = lastTime;
    this.#gasUsed += gasUsed;
    this.#traced = mergeIntervals([...this.#traced, ...next.traced]);
  }

  /** Encodes the next block. After InvalidChainData, the caller must discard all rows. */
  add(bundle: BlockBundle): void {
    const number = Number(bundle.block.number);
    if (!this.isEmpty && number !== this.#to + 1)
      throw new RangeError(`block ${number} does not follow block ${this.#to}`);
    try {
      encodeBlock(this.writers, bundle, this.final);
      if (encodeCalls(this.writers, bundle, this.final))
        this.#traced = mergeIntervals([...this.#traced, { fromBlock: number, toBlock: number }]);
    } catch (error) {
      if (error instanceof EncodeError || error instanceof RangeError)
        throw new InvalidChainData('bad_field', number, error.message);
      throw error;
    }
    if (this.isEmpty) {
      this.#from = number;
      this.#parentHash = bundle.block.parentHash.toLowerCase();
      this.#firstTime = Number(bundle.block.timestamp);
    }
    this.#lastTime = Number(bundle.block.timestamp);
    this.#to = number;
    this.#lastHash = bundle.block.hash.toLowerCase();
    this.#gasUsed += Number(bundle.block.gasUsed);
  }
}

/** Returns the bytes, copied if other buffers share their memory. */
function ownMemory(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  return isMovable(buffer) ? new Uint8Array(buffer, byteOffset, byteLength) : Uint8Array.from(bytes);
}

/** Returns whether memory can move to another thread. Small Node buffers share memory and can't. */
export const isMovable = (memory: ArrayBufferLike): memory is ArrayBuffer =>
  memory instanceof ArrayBuffer && memory.byteLength !== Buffer.poolSize;
