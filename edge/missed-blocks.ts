/** Sends the blocks and logs that clients missed, in chain order. */
import type { ChainLog, Head, SentChain } from './sent-chain.ts';

/** Time after which a node that lacks blocks is assumed to follow another, shorter chain, ms. */
const maxBehindMs = 120_000;

/** The source lacks blocks that the node or clients have. It may only be late. */
class SourceBehind extends Error {
  override readonly name = 'SourceBehind';
}

/** Sends a request to a node. */
export type Source = (method: string, params: readonly unknown[]) => Promise<unknown>;

export interface Gap {
  /** Node from which the missed blocks are read. */
  source: Source;
  /** Newest block of the node that sends events. */
  readonly through: number;
  /** Head that must follow the last missed block. */
  readonly head: Head | undefined;
  /** Throws if the connection was lost. The next connection then sends the missed blocks. */
  readonly assertCurrent: () => void;
  /** Set after the missing logs of sent heads were sent. */
  hasLogs: boolean;
}

interface MissedBlocksOptions {
  readonly writer: Source;
  readonly sent: SentChain;
  /** Returns whether a client subscribes to logs. */
  readonly hasLogs: () => boolean;
  readonly send: (topic: 'newHeads' | 'logs', value: unknown) => void;
}

export class MissedBlocks {
  /** Height of the first block whose logs clients expect. */
  logsFrom = 0;
  #behindSince: number | undefined;
  /** Time since which new heads do not follow the sent ones, Unix ms. */
  #unlinkedSince: number | undefined;
  readonly writer: Source;
  readonly sent: SentChain;
  readonly hasLogs: () => boolean;
  readonly send: MissedBlocksOptions['send'];

  constructor({ writer, sent, hasLogs, send }: MissedBlocksOptions) {
    this.writer = writer;
    this.sent = sent;
    this.hasLogs = hasLogs;
    this.send = send;
  }

  /** Records the newest block as sent. Otherwise missed blocks have no start, and a hung node is not noticed. */
  async startAt(newest: number, node: Source): Promise<void> {
    const read = async (source: Source) => readBlock(source, newest).catch(() => null); // errors must not delay events
    const block = (await read(this.writer)) ?? (await read(node));
    if (block && this.sent.addHead(block)) this.logsFrom = Math.max(this.logsFrom, newest + 1);
  }

  /** Sends what is missing. @returns an error instead of throwing it if the source lacks blocks: call again later */
  async fill(gap: Gap): Promise<SourceBehind | undefined> {
    const { through, head } = gap;
    try {
      await this.#fillGap(gap);
    } catch (error) {
      if (error instanceof SourceBehind) return error;
      throw error;
    }
    const { newest } = this.sent;
    if (newest !== undefined && newest < through)
      return new SourceBehind(`the source lacks blocks after ${newest}, and the node is at ${through}`);
    return head && !this.isLinked(head)
      ? new SourceBehind(`the source lacks the block before ${head.hash}`)
      : undefined;
  }

  /**
   * Returns whether a head follows the sent block before it. After two minutes, a branch that the source lacks is
   * accepted.
   */
  isLinked({ number, parentHash }: Head): boolean {
    const parent = this.sent.hashAt(Number(number) - 1);
    const isLinked = parent === undefined || parentHash === undefined || parent === parentHash;
    this.#unlinkedSince = isLinked ? undefined : (this.#unlinkedSince ?? Date.now());
    return this.#unlinkedSince === undefined || Date.now() - this.#unlinkedSince >= maxBehindMs;
  }

  /**
   * Sends missed heads and logs after the last sent head that is still on the chain.
   * @throws SourceBehind while the source lacks the sent heads, for two minutes, or longer if the other node has them.
   * The source may only be late, so no log may be retracted.
   */
  async #fillGap(gap: Gap): Promise<void> {
    const { through, assertCurrent } = gap;
    const { newest } = this.sent;
    if (newest === undefined) return;
    let height = newest;
    let isBehind = false;
    while (this.sent.hashAt(height) !== undefined) {
      const block = await readBlock(gap.source, height);
      if (block?.hash === this.sent.hashAt(height)) break;
      isBehind = block === null;
      height--;
    }
    this.#behindSince = isBehind ? (this.#behindSince ?? Date.now()) : undefined;
    const mayBeLate = through >= newest || Date.now() - (this.#behindSince ?? 0) < maxBehindMs;
    if (isBehind && mayBeLate) throw new SourceBehind(`the source lacks block ${newest}, which clients have`);
    assertCurrent();
    for (const log of this.sent.cutAbove(height)) this.send('logs', { ...log, removed: true });
    if (!gap.hasLogs) await this.#sendMissingLogs(gap);
    gap.hasLogs = true;
    while (await this.#sendBlock(++height, gap));
  }

  /** Sends missing logs of sent heads: the connection may have been lost between a head and its logs. */
  async #sendMissingLogs({ source, assertCurrent }: Gap): Promise<void> {
    if (!this.hasLogs()) return;
    for (const { height, hash } of this.sent.blocksToRecheck()) {
      if (height < this.logsFrom) continue;
      const logs = await readLogs(source, hash);
      assertCurrent();
      this.#sendLogs(logs);
    }
  }

  #sendLogs(logs: readonly ChainLog[]): void {
    for (const log of logs) if (this.sent.addLog(log)) this.send('logs', log);
  }

  /** @returns false if the block doesn't exist yet */
  async #sendBlock(height: number, { source, assertCurrent }: Gap): Promise<boolean> {
    const block = await readBlock(source, height);
    const logs = block && this.hasLogs() ? await readLogs(source, block.hash) : [];
    assertCurrent();
    if (!block) return false;
    if (!this.isLinked(block)) throw new Error('the source has replaced a block meanwhile');
    const { transactions: _, uncles: __, withdrawals: ___, size: ____, ...header } = block;
    if (this.sent.addHead(block)) this.send('newHeads', header);
    this.#sendLogs(logs);
    return true;
  }
}

type Block = Head & Record<string, unknown>;

const readBlock = (ask: Source, height: number): Promise<Block | null> =>
  ask('eth_getBlockByNumber', [`0x${height.toString(16)}`, false]) as Promise<Block | null>;

const readLogs = (ask: Source, blockHash: string): Promise<ChainLog[]> =>
  ask('eth_getLogs', [{ blockHash }]) as Promise<ChainLog[]>;
