/** Fetches and encodes consecutive blocks in parallel. Fetches blocks with invalid hex digits again. */
import PQueue from 'p-queue';
import { InvalidChainData, NodeError, TransportError } from '#chain/errors.ts';
import type { Interval } from '#chain/intervals.ts';
import { fetchCachedBlocks } from '#chain/raw-cache/fetch-cached-blocks.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { fetchBlocks, fetchWithReceipts } from '#chain/rpc/fetch-blocks.ts';
import { isOutage } from '#chain/rpc/fetch-in-halves.ts';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { lastOfPartition } from '#sql/chain-tables.ts';
import type { CacheDeps, NodeDeps, ReportDeps } from '../deps.ts';
import { type BlockEncoder, ownThread } from '../encode/encoder-threads.ts';
import { encodeRange, RangeRows } from '../encode/range-rows.ts';
import { asHead } from '../follow/read-head.ts';
import { attachTraces } from '../traces/attach-traces.ts';
import type { FetchSettings } from './backfill-settings.ts';

export interface FetchDeps extends NodeDeps, CacheDeps, ReportDeps {
  readonly log: Log;
  /** Encodes fetched blocks; default: the calling thread. */
  readonly encoder?: BlockEncoder | undefined;
  readonly settings: FetchSettings;
}

export interface QuarantinedBlock {
  readonly quarantined: number;
  readonly reason: string;
  readonly attempts: number;
}

export type Piece = RangeRows | QuarantinedBlock;

const maxBatchesAhead = 12;
/** Target transactions per batch of blocks; each takes about 3 kB of JSON. */
const targetTransactionsPerBatch = 800;
/** Attempts before a block is quarantined (skipped and retried later). */
const maxAttempts = 6;

export class FetchAhead {
  readonly #queue: PQueue;
  #transactionsPerBlock = 0;
  #lastFetchedAt = performance.now();
  readonly deps: FetchDeps;
  readonly giveUpMs: number;

  /** @param giveUpMs time without a fetched block after which an error is thrown; default: retries forever */
  constructor(deps: FetchDeps, giveUpMs = Number.POSITIVE_INFINITY) {
    this.deps = deps;
    this.giveUpMs = giveUpMs;

    this.#queue = new PQueue({ concurrency: maxBatchesAhead });
    deps.signal.addEventListener('abort', () => this.#queue.start(), { once: true });
  }

  /** Pauses or resumes fetching. Never pauses after an abort, so that waiting tasks end. */
  setPaused(paused: boolean): void {
    if (paused && !this.deps.signal.aborted) {
      this.#queue.pause();
    } else {
      if (this.#queue.isPaused) this.#lastFetchedAt = performance.now();
      this.#queue.start();
    }
  }

  /**
   * Yields the blocks of a range in order.
   * @throws the last error of the node when no block was fetched for `giveUpMs`
   * @param extend called near the end of the range; returns a later last block, or undefined if the range can't grow
   */
  async *blocks(stretch: Interval, extend?: () => Promise<number | undefined>): AsyncGenerator<Piece> {
    const pending: Promise<Piece[]>[] = [];
    const end = new StretchEnd(stretch.toBlock, maxBatchesAhead * this.deps.settings.batchBlocks, extend);
    let next = stretch.fromBlock;
    for (;;) {
      while (next <= end.extendNear(next) && pending.length < maxBatchesAhead) {
        const toBlock = Math.min(this.#endOfBatch(next), end.block, lastOfPartition(next));
        const batch = { fromBlock: next, toBlock };
        const fetched = this.#queue.add(() => this.#fetchWithRetry(batch));
        fetched.catch(() => {});
        pending.push(fetched);
        next = toBlock + 1;
      }
      const pieces = pending.shift();
      if (!pieces) {
        if (await end.hasBlocksFrom(next)) continue;
        return;
      }
      for (const piece of await pieces) yield piece;
      if (this.deps.signal.aborted) {
        await Promise.allSettled(pending);
        return;
      }
    }
  }

  /** Returns the last block of a batch. Batches end with a cache file, so that each file is read once. */
  #endOfBatch(first: number): number {
    const endOfFile = this.deps.rawCache?.endOfFile(first);
    if (endOfFile !== undefined) return endOfFile;
    const byTraffic = Math.floor(targetTransactionsPerBatch / Math.max(this.#transactionsPerBlock, 1));
    return first + Math.max(1, Math.min(this.deps.settings.batchBlocks, byTraffic)) - 1;
  }

  async #fetchWithRetry(batch: Interval): Promise<Piece[]> {
    const { signal } = this.deps;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        return [await this.#fetch(batch)];
      } catch (error) {
        if (signal.aborted) break;
        const pieces = await this.#replaceFailed(batch, attempt, error);
        if (pieces) return pieces;
        if (performance.now() - this.#lastFetchedAt > this.giveUpMs) throw error;
        await pause(Math.min(50 * 2 ** attempt, 5_000) * (0.5 + Math.random() / 2), signal);
      }
    }
    return [];
  }

  async #fetch(batch: Interval): Promise<RangeRows> {
    const rows = (await this.#fetchEncoded(batch)) ?? (await this.#fetchThenEncode(batch));
    this.#lastFetchedAt = performance.now();
    this.#observe(batch, rows);
    return rows;
  }

  /** Returns undefined if blocks are cached or need traces, or no node returns all receipts of a block at once. */
  async #fetchEncoded(batch: Interval): Promise<RangeRows | undefined> {
    const { client, settings, signal, rawCache, encoder = ownThread } = this.deps;
    const { fromBlock } = batch;
    if (settings.traces === 'on' || rawCache?.endOfFile(fromBlock) !== undefined) return undefined;
    const task = { fromBlock, verify: settings.verify, keepsLines: rawCache !== undefined };
    const fetched = await fetchWithReceipts(client, batch, { signal }, (body, ids) =>
      encoder.encode({ ...task, body, ids }),
    );
    if (!fetched) return undefined;
    const { results, endpoint } = fetched;
    if ('invalid' in results) {
      const { violation, blockNumber, detail } = results.invalid;
      const error = new InvalidChainData(violation, blockNumber, detail);
      endpoint.reportInvalid(error.message);
      throw error;
    }
    endpoint.reportValid();
    if (results.lines.length > 0)
      await rawCache?.write(fromBlock, results.lines).catch((error: unknown) => this.#reportCacheError(error));
    return RangeRows.fromMessage(results.range);
  }

  async #fetchThenEncode(batch: Interval): Promise<RangeRows> {
    const { client, settings, signal, rawCache } = this.deps;
    const use = rawCache && { cache: rawCache, onError: (error: unknown) => this.#reportCacheError(error) };
    const { bundles, endpoint } = await fetchCachedBlocks(client, batch, { verify: settings.verify, signal }, use);
    // tracing costs a node several times as much, so by default history is traced after the backfill
    const traced = settings.traces === 'on' ? await attachTraces(this.deps, bundles) : bundles;
    return this.#encode(batch, traced, endpoint);
  }

  /** Returns the two halves of a failed batch, or a quarantined block; undefined: fetch the batch again. */
  async #replaceFailed(
    { fromBlock, toBlock }: Interval,
    attempt: number,
    error: unknown,
  ): Promise<Piece[] | undefined> {
    const reason = error instanceof Error ? error.message : String(error);
    this.deps.log.debug({ event: 'fetch_failed', fromBlock, toBlock, attempt, reason });
    if (fromBlock < toBlock && attempt >= 2) return this.#fetchHalves({ fromBlock, toBlock });
    if (attempt < maxAttempts || !(await this.#concernsBlock(error))) return undefined;
    return [{ quarantined: fromBlock, reason, attempts: attempt }];
  }

  /** Returns whether an error concerns only this block. A node may also refuse all requests for a while. */
  async #concernsBlock(error: unknown): Promise<boolean> {
    if (error instanceof InvalidChainData) return true;
    // one reply can be too large or slow while the node serves other blocks
    if (!(error instanceof NodeError || error instanceof TransportError) || isOutage(error)) return false;
    const { client, signal } = this.deps;
    try {
      const newest = asHead(await client.call('eth_getBlockByNumber', ['latest', false], { signal, retries: 0 }));
      if (newest === undefined) return false;
      await fetchBlocks(client, newest.number, newest.number, { verify: 'links', signal });
      return true;
    } catch {
      return false;
    }
  }

  async #fetchHalves({ fromBlock, toBlock }: Interval): Promise<Piece[]> {
    const middle = Math.floor((fromBlock + toBlock) / 2);
    const low = await this.#fetchWithRetry({ fromBlock, toBlock: middle });
    const high = await this.#fetchWithRetry({ fromBlock: middle + 1, toBlock });
    return [...low, ...high];
  }

  /** @param endpoint sender of the blocks; undefined: cache */
  async #encode(
    batch: Interval,
    bundles: Parameters<typeof encodeRange>[0],
    endpoint: Endpoint | undefined,
  ): Promise<RangeRows> {
    try {
      const rows = encodeRange(bundles, 1);
      endpoint?.reportValid();
      return rows;
    } catch (error) {
      endpoint?.reportInvalid(String(error));
      await this.deps.rawCache?.remove(batch);
      throw error;
    }
  }

  #reportCacheError(error: unknown): void {
    this.deps.log.warn({ event: 'raw_cache_error', error: String(error) });
    this.deps.report.set({ rawCacheFault: String(error) });
  }

  #observe({ fromBlock, toBlock }: Interval, rows: RangeRows): void {
    const average = rows.writers.transactions.rows / (toBlock - fromBlock + 1);
    this.#transactionsPerBlock =
      this.#transactionsPerBlock === 0 ? average : this.#transactionsPerBlock * 0.8 + average * 0.2;
  }
}

class StretchEnd {
  #extending: Promise<void> | undefined;
  #isLast = false;
  block: number;
  readonly lookAheadBlocks: number;
  readonly extend: (() => Promise<number | undefined>) | undefined;

  constructor(block: number, lookAheadBlocks: number, extend: (() => Promise<number | undefined>) | undefined) {
    this.block = block;
    this.lookAheadBlocks = lookAheadBlocks;
    this.extend = extend;
  }

  extendNear(next: number): number {
    if (this.extend && !this.#isLast && !this.#extending && next + this.lookAheadBlocks > this.block)
      this.#extending = this.#extendOnce(this.extend);
    return this.block;
  }

  async hasBlocksFrom(next: number): Promise<boolean> {
    await this.#extending;
    return next <= this.block;
  }

  async #extendOnce(extend: () => Promise<number | undefined>): Promise<void> {
    const block = await extend().catch(() => undefined); // on failure, keep the range claimed so far
    this.#isLast = block === undefined;
    this.block = Math.max(this.block, block ?? this.block);
    this.#extending = undefined;
  }
}
