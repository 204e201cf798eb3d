/**
 * Fetches a stretch of blocks in order and encodes them: many requests in flight, each batch sized by the traffic.
 * Encoding is part of the fetch, since it reads every digit: what it refuses is fetched again like any other fault.
 */
import PQueue from 'p-queue';
import { InvalidChainData, NodeError } from '#chain/errors.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import { pause } from '#runtime/shutdown.ts';
import { blocksPerPartition } from '#sql/chain-tables.ts';
import type { PipelineDeps } from '../deps.ts';
import { encodeRange, type RangeRows } from '../encode/range-rows.ts';
import type { Interval } from '../store/intervals.ts';
import { attachTraces } from '../traces/attach-traces.ts';

/** A block that no endpoint could serve soundly after all attempts. */
export interface QuarantinedBlock {
  readonly quarantined: number;
  readonly reason: string;
  readonly attempts: number;
}

/** Blocks that follow each other, encoded; or one that is missing. */
export type Piece = RangeRows | QuarantinedBlock;

/** Requests that are under way or whose answers wait for their turn; bounds the memory together with the batch size. */
const maxBatchesAhead = 12;
/** Transactions that one batch should hold: about 3 kB of JSON each. */
const targetTransactionsPerBatch = 800;
/** Attempts at one block, on changing endpoints, before it is parked. */
const maxAttempts = 6;

export class FetchAhead {
  readonly #queue: PQueue;
  #transactionsPerBlock = 0;
  readonly deps: PipelineDeps;

  constructor(deps: PipelineDeps) {
    this.deps = deps;

    this.#queue = new PQueue({ concurrency: maxBatchesAhead });
    deps.signal.addEventListener('abort', () => this.#queue.start(), { once: true });
  }

  /** Stops asking for more; what is in flight goes on. Ends with the signal: what waits then gives up by itself. */
  setPaused(paused: boolean): void {
    if (paused && !this.deps.signal.aborted) this.#queue.pause();
    else this.#queue.start();
  }

  /**
   * Yields the blocks in order, in pieces; a block that can't be had is yielded as parked in its place.
   * @param extend asked for a new last block when the end comes near; undefined: there is none
   */
  async *blocks(stretch: Interval, extend?: () => Promise<number | undefined>): AsyncGenerator<Piece> {
    const pending: Promise<Piece[]>[] = [];
    const end = new StretchEnd(stretch.toBlock, maxBatchesAhead * this.deps.settings.batchBlocks, extend);
    let next = stretch.fromBlock;
    for (;;) {
      while (next <= end.lookedAheadFrom(next) && pending.length < maxBatchesAhead) {
        const partitionEnd = next - (next % blocksPerPartition) + blocksPerPartition - 1;
        const toBlock = Math.min(next + this.#batchBlocks() - 1, end.block, partitionEnd);
        const batch = { fromBlock: next, toBlock };
        const fetched = this.#queue.add(() => this.#fetchSurely(batch));
        fetched.catch(() => {}); // awaited in its turn
        pending.push(fetched);
        next = toBlock + 1;
      }
      const pieces = pending.shift();
      if (!pieces) {
        if (await end.hasMoved(next)) continue;
        return;
      }
      for (const piece of await pieces) yield piece;
      if (this.deps.signal.aborted) {
        await Promise.allSettled(pending);
        return;
      }
    }
  }

  #batchBlocks(): number {
    const byTraffic = Math.floor(targetTransactionsPerBatch / Math.max(this.#transactionsPerBlock, 1));
    return Math.max(1, Math.min(this.deps.settings.batchBlocks, byTraffic));
  }

  /** Tries until the batch is whole; a batch that keeps failing is halved until the one bad block is alone. */
  async #fetchSurely(batch: Interval): Promise<Piece[]> {
    const { signal } = this.deps;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        return [await this.#fetch(batch)];
      } catch (error) {
        if (signal.aborted) break;
        const pieces = await this.#insteadOf(batch, attempt, error);
        if (pieces) return pieces;
        await pause(Math.min(50 * 2 ** attempt, 5_000) * (0.5 + Math.random() / 2), signal);
      }
    }
    return [];
  }

  async #fetch({ fromBlock, toBlock }: Interval): Promise<RangeRows> {
    const { client, settings, signal } = this.deps;
    const { bundles, endpoint } = await fetchBlocks(client, fromBlock, toBlock, { verify: settings.verify, signal });
    const rows = this.#encode(await attachTraces(this.deps, bundles), endpoint);
    this.#observe(bundles.length, rows);
    return rows;
  }

  /** What a batch that failed becomes; undefined: it is tried again. */
  async #insteadOf({ fromBlock, toBlock }: Interval, attempt: number, error: unknown): Promise<Piece[] | undefined> {
    const reason = error instanceof Error ? error.message : String(error);
    this.deps.log.debug({ event: 'fetch_failed', fromBlock, toBlock, attempt, reason });
    const isData = error instanceof InvalidChainData || error instanceof NodeError;
    if (fromBlock < toBlock && attempt >= 2) return this.#fetchHalves({ fromBlock, toBlock });
    if (isData && attempt >= maxAttempts) return [{ quarantined: fromBlock, reason, attempts: attempt }];
    return undefined;
  }

  async #fetchHalves({ fromBlock, toBlock }: Interval): Promise<Piece[]> {
    const middle = Math.floor((fromBlock + toBlock) / 2);
    const low = await this.#fetchSurely({ fromBlock, toBlock: middle });
    const high = await this.#fetchSurely({ fromBlock: middle + 1, toBlock });
    return [...low, ...high];
  }

  #encode(bundles: Parameters<typeof encodeRange>[0], endpoint: Endpoint): RangeRows {
    try {
      const rows = encodeRange(bundles, 1);
      endpoint.reportSound();
      return rows;
    } catch (error) {
      endpoint.reportInvalid(String(error));
      throw error;
    }
  }

  #observe(blocks: number, rows: RangeRows): void {
    const average = rows.writers.transactions.rows / blocks;
    this.#transactionsPerBlock =
      this.#transactionsPerBlock === 0 ? average : this.#transactionsPerBlock * 0.8 + average * 0.2;
  }
}

/** The last block of a stretch that may grow while it is fetched: what follows is asked for before the end is reached. */
class StretchEnd {
  #asking: Promise<void> | undefined;
  #isLast = false;
  block: number;
  readonly lookAheadBlocks: number;
  readonly extend: (() => Promise<number | undefined>) | undefined;

  constructor(block: number, lookAheadBlocks: number, extend: (() => Promise<number | undefined>) | undefined) {
    this.block = block;
    this.lookAheadBlocks = lookAheadBlocks;
    this.extend = extend;
  }

  /** The end as it is known now; has it moved on where it is near. */
  lookedAheadFrom(next: number): number {
    if (this.extend && !this.#isLast && !this.#asking && next + this.lookAheadBlocks > this.block)
      this.#asking = this.#ask(this.extend);
    return this.block;
  }

  /** Waits for an answer that is under way. @returns whether there are blocks from `next` on */
  async hasMoved(next: number): Promise<boolean> {
    await this.#asking;
    return next <= this.block;
  }

  async #ask(extend: () => Promise<number | undefined>): Promise<void> {
    const block = await extend().catch(() => undefined); // what is claimed already is stored all the same
    this.#isLast = block === undefined;
    this.block = Math.max(this.block, block ?? this.block);
    this.#asking = undefined;
  }
}
