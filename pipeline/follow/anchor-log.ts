/**
 * The steps of the head as numbered events: every block that became the head, and every one that was taken away again.
 * Events are written after the state that shows their blocks, as the difference between what the log says and what the
 * chain is, so a kill between both loses none and doubles none. @source conventions M3
 */
import type { HeadRef } from '#chain/rpc/wire-types.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { getStatement } from '#sql/statements.ts';
import type { PipelineDeps } from '../deps.ts';
import type { ChainWindow } from './chain-window.ts';

type LogDeps = Pick<PipelineDeps, 'database' | 'statements'>;

interface AnchorEvent {
  readonly kind: 'added' | 'removed';
  readonly block: HeadRef;
}

interface KnownBlock {
  readonly number: number;
  readonly hash: string;
}

/** Events looked back on at the start: more than a reorg can take away, several times over. */
const tailEvents = 4_000;
/** Blocks read at once after a long stop. */
const chunkBlocks = 5_000;
const kinds = { added: 1, removed: 2 } as const;

export class AnchorLog {
  /** Blocks that the log says are on the chain, lowest first; only the newest. */
  #chain: KnownBlock[] | undefined;
  #sequence = 0;

  constructor(readonly deps: LogDeps) {}

  /** Writes what has changed since the last call. @throws StoreError; the next call takes it up again */
  async follow(window: ChainWindow): Promise<void> {
    const chain = this.#chain ?? (await this.#load());
    this.#chain = undefined; // what a failure left written is read anew
    await this.#writeDifference(chain, window);
    this.#chain = chain;
  }

  async #writeDifference(chain: KnownBlock[], window: ChainWindow): Promise<void> {
    const removed: AnchorEvent[] = [];
    const settled = await this.#settledHashes(chain, window);
    let kept = chain.length;
    for (; kept > 0; kept--) {
      const { number, hash } = chain[kept - 1]!;
      const isSettled = number < window.finalized.number;
      // below the window there is nothing to compare with, unless other blocks were settled since the last look
      if (isSettled ? !settled || settled.get(number) === hash : window.at(number)?.hash === hash) break;
      removed.push({
        kind: 'removed',
        block: { number, hash, parentHash: chain[kept - 2]?.hash ?? zeroHash, timestamp: 0 },
      });
    }
    if (removed.length > 0) await this.#write(removed);
    chain.length = kept;
    const first = (chain.at(-1)?.number ?? window.finalized.number) + 1;
    for (let from = first; from <= window.head.number; from += chunkBlocks)
      await this.#add(chain, await this.#blocks(window, from, Math.min(from + chunkBlocks - 1, window.head.number)));
    chain.splice(0, chain.length - tailEvents);
  }

  /** Hashes as stored by height, where the window has moved past the whole log: after a long stop. */
  async #settledHashes(chain: readonly KnownBlock[], window: ChainWindow): Promise<Map<number, string> | undefined> {
    const tip = chain.at(-1)?.number;
    if (tip === undefined || tip >= window.finalized.number) return undefined;
    const rows = await this.deps.database.read<{ block_number: string; block_hash: string }>(
      getStatement(this.deps.statements, 'blocks_between'),
      { from_block: Math.max(chain[0]!.number, tip - tailEvents), to_block: tip },
    );
    return new Map(rows.map((row) => [Number(row.block_number), row.block_hash]));
  }

  async #load(): Promise<KnownBlock[]> {
    const rows = await this.deps.database.read<
      Record<'sequence' | 'kind_name' | 'block_number' | 'block_hash', string>
    >(getStatement(this.deps.statements, 'anchor_log_tail'), { limit: tailEvents });
    this.#sequence = Number(rows[0]?.sequence ?? 0);
    const chain: KnownBlock[] = [];
    for (const row of rows.reverse()) {
      if (row.kind_name === 'added') chain.push({ number: Number(row.block_number), hash: row.block_hash });
      else if (chain.at(-1)?.hash === row.block_hash) chain.pop();
    }
    return chain;
  }

  async #add(chain: KnownBlock[], blocks: readonly HeadRef[]): Promise<void> {
    if (blocks.length === 0) return;
    await this.#write(blocks.map((block) => ({ kind: 'added', block })));
    chain.push(...blocks.map(({ number, hash }) => ({ number, hash })));
  }

  /** From memory, or after a stop from what was stored meanwhile. */
  async #blocks(window: ChainWindow, from: number, to: number): Promise<HeadRef[]> {
    if (from > window.finalized.number) return Array.from({ length: to - from + 1 }, (_, i) => window.at(from + i)!);
    const rows = await this.deps.database.read<{
      block_number: string;
      block_hash: string;
      parent: string;
      time: number;
    }>(getStatement(this.deps.statements, 'blocks_between'), { from_block: from, to_block: to });
    return rows.map((row) => ({
      ...{ number: Number(row.block_number), hash: row.block_hash, parentHash: row.parent, timestamp: row.time },
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

const zeroHash = `0x${'0'.repeat(64)}`;
