/**
 * Numbered log of blocks that were added, or removed by a reorg. First a block is published, then the difference
 * between log and chain is logged, so a crash loses no event.
 * @source docs/mechanisms.md#events-and-reorgs
 */
import { zeroHash } from '#chain/codec/hex.ts';
import type { HeadRef } from '#chain/rpc/wire-types.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { StoreDeps } from '../deps.ts';
import type { ChainWindow } from './chain-window.ts';

interface AnchorEvent {
  readonly kind: 'added' | 'removed';
  readonly block: HeadRef;
}

interface KnownBlock {
  readonly number: number;
  readonly hash: string;
}

/** Events read at startup: several times the depth of the deepest reorg. */
const tailEvents = 4_000;
/** Events read if the newest ones contain no block of the chain, for example after a rewind. */
const maxTailEvents = 100_000;
const chunkBlocks = 5_000;
const kinds = { added: 1, removed: 2 } as const;

export class AnchorLog {
  #chain: KnownBlock[] | undefined;
  #sequence = 0;
  readonly deps: StoreDeps;

  constructor(deps: StoreDeps) {
    this.deps = deps;
  }

  /**
   * Logs blocks added or removed since the last call.
   * @throws StoreError; the next call retries
   */
  async follow(window: ChainWindow): Promise<void> {
    const known = this.#chain;
    this.#chain = undefined; // after a failure, read the log from the database
    const isOnWindow = ({ number, hash }: KnownBlock) => window.at(number)?.hash === hash;
    this.#chain = known?.findLast(isOnWindow)
      ? await this.#writeDifference(known, window, new Map())
      : await this.#resume(window);
  }

  async #resume(window: ChainWindow): Promise<KnownBlock[]> {
    const { chain, isWhole } = await this.#load(tailEvents);
    const current = await this.#currentHashes(chain, window);
    const isShared = ({ number, hash }: KnownBlock) => getCurrentHash(number, window, current) === hash;
    if (isWhole || chain.some(isShared)) return this.#writeDifference(chain, window, current);
    const { chain: longer } = await this.#load(maxTailEvents);
    return this.#writeDifference(longer, window, await this.#currentHashes(longer, window));
  }

  async #writeDifference(
    chain: KnownBlock[],
    window: ChainWindow,
    current: ReadonlyMap<number, string>,
  ): Promise<KnownBlock[]> {
    const lowest = chain[0]?.number ?? window.finalized.number + 1;
    const sharedCount = chain.findLastIndex(({ number, hash }) => getCurrentHash(number, window, current) === hash) + 1;
    const removed = chain.slice(sharedCount).map(({ number, hash }, i): AnchorEvent => {
      const parentHash = chain[sharedCount + i - 1]?.hash ?? zeroHash;
      return { kind: 'removed', block: { number, hash, parentHash, timestamp: 0 } };
    });
    if (removed.length > 0) await this.#write(removed.reverse());
    chain.length = sharedCount;
    const last = chain.at(-1);
    const first = last ? last.number + 1 : lowest;
    for (let from = first; from <= window.head.number; from += chunkBlocks)
      await this.#add(chain, await this.#blocks(window, from, Math.min(from + chunkBlocks - 1, window.head.number)));
    chain.splice(0, chain.length - tailEvents);
    return chain;
  }

  /** Returns the hashes of current blocks, including those that leave the window during the read. */
  async #currentHashes(chain: readonly KnownBlock[], window: ChainWindow): Promise<Map<number, string>> {
    const [first, last] = [chain[0], chain.at(-1)];
    if (!first || !last) return new Map();
    const { number: finalized } = window.finalized;
    const unfinalized = window.above(finalized).map(({ number, hash }) => [number, hash] as const);
    const rows = await this.deps.database.read('blocks_between', {
      from_block: first.number,
      to_block: Math.min(last.number, finalized),
    });
    return new Map([...rows.map((row) => [Number(row.block_number), row.block_hash] as const), ...unfinalized]);
  }

  async #load(limit: number): Promise<{ chain: KnownBlock[]; isWhole: boolean }> {
    const rows = await this.deps.database.read('anchor_log_tail', { limit });
    this.#sequence = Number(rows[0]?.sequence ?? 0);
    const chain: KnownBlock[] = [];
    for (const row of rows.reverse()) {
      if (row.kind_name === 'added') chain.push({ number: Number(row.block_number), hash: row.block_hash });
      else if (chain.at(-1)?.hash === row.block_hash) chain.pop();
    }
    return { chain, isWhole: rows.length < limit };
  }

  async #add(chain: KnownBlock[], blocks: readonly HeadRef[]): Promise<void> {
    if (blocks.length === 0) return;
    await this.#write(blocks.map((block) => ({ kind: 'added', block })));
    chain.push(...blocks.map(({ number, hash }) => ({ number, hash })));
  }

  async #blocks(window: ChainWindow, from: number, to: number): Promise<HeadRef[]> {
    if (from > window.finalized.number) return window.above(from - 1).slice(0, to - from + 1);
    const rows = await this.deps.database.read('blocks_between', { from_block: from, to_block: to });
    return rows.map((row) => ({
      number: Number(row.block_number),
      hash: row.block_hash,
      parentHash: row.parent,
      timestamp: row.time,
    }));
  }

  async #write(events: readonly AnchorEvent[]): Promise<void> {
    const w = new RowWriter(events.length * 128);
    for (const [i, { kind, block }] of events.entries()) {
      w.uint64(this.#sequence + 1 + i);
      w.uint8(kinds[kind]);
      w.uint64(block.number);
      w.fixed(block.hash, 32);
      w.fixed(block.parentHash, 32);
      w.uint32(block.timestamp);
      w.uint64(Date.now());
    }
    await this.deps.database.insertRowBinary('anchor_events', w.view());
    this.#sequence += events.length;
  }
}

const getCurrentHash = (number: number, window: ChainWindow, current: ReadonlyMap<number, string>) =>
  current.get(number) ?? window.at(number)?.hash;
