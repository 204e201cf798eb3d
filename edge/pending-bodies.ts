/** Whole pending transactions from a node that tells hashes alone: each is asked for once, and told as it was while pending. */
import PQueue from 'p-queue';
import type { Upstreams } from '#gateway/upstreams.ts';

const askedAtOnce = 16;
/** Hashes that may wait; more are not told, as a node drops events that it can't deliver in time. */
const mostWaiting = 5_000;
const askTimeoutMs = 5_000;

export type PendingTransaction = Record<string, unknown>;

export class PendingBodies {
  readonly #queue = new PQueue({ concurrency: askedAtOnce });
  readonly upstreams: Upstreams;
  readonly listener: (transaction: PendingTransaction) => void;

  constructor(upstreams: Upstreams, listener: (transaction: PendingTransaction) => void) {
    this.upstreams = upstreams;
    this.listener = listener;
  }

  tell(hash: string): void {
    if (this.#queue.size < mostWaiting) void this.#queue.add(() => this.#ask(hash));
  }

  async #ask(hash: string): Promise<void> {
    // one that was dropped meanwhile, or that the node does not answer for, is not told
    const reply = await this.upstreams.writer.call('eth_getTransactionByHash', [hash], askTimeoutMs).catch(() => null);
    if (!reply) return;
    // it may stand in a block by now; the event is that it began to wait
    const isWaiting = { blockHash: null, blockNumber: null, transactionIndex: null };
    this.listener({ ...(reply as PendingTransaction), ...isWaiting });
  }
}
