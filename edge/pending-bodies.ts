/** Requests pending transactions that a node announces by hash, once for all clients. */
import PQueue from 'p-queue';
import type { Upstreams } from '#gateway/upstreams.ts';

const askedAtOnce = 16;
/** Maximum waiting hashes. Further hashes are dropped. */
const maxWaiting = 5_000;
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

  request(hash: string): void {
    if (this.#queue.size < maxWaiting) void this.#queue.add(() => this.#ask(hash));
  }

  async #ask(hash: string): Promise<void> {
    // the node may have dropped the transaction
    const reply = await this.upstreams.writer.call('eth_getTransactionByHash', [hash], askTimeoutMs).catch(() => null);
    if (!reply) return;
    // clients expect a pending transaction without a block number, even if a block contains the transaction by then
    const isWaiting = { blockHash: null, blockNumber: null, transactionIndex: null };
    this.listener({ ...(reply as PendingTransaction), ...isWaiting });
  }
}
