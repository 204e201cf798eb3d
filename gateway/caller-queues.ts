import PQueue from 'p-queue';
import { RpcRefusal } from './rpc-request.ts';

export class BusyCaller extends RpcRefusal {}

/** Limits a caller's concurrent requests to the nodes, so that one caller does not delay the others. */
export class CallerQueues {
  readonly #queues = new Map<string, PQueue>();
  readonly atOnce: number;
  readonly maxWaiting: number;

  /**
   * @param atOnce concurrent requests per caller
   * @param maxWaiting further requests per caller that may wait
   */
  constructor(atOnce = 16, maxWaiting = 112) {
    this.atOnce = atOnce;
    this.maxWaiting = maxWaiting;
  }

  /** Runs `work` when the caller has a free slot. @throws BusyCaller if too many of its requests wait */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(caller) ?? new PQueue({ concurrency: this.atOnce });
    if (queue.size >= this.maxWaiting)
      throw new BusyCaller(429, -32005, `too many requests at once: ${this.atOnce + this.maxWaiting} per caller`);
    this.#queues.set(caller, queue);
    try {
      return (await queue.add(work)) as T;
    } finally {
      if (queue.size === 0 && queue.pending === 0) this.#queues.delete(caller);
    }
  }
}
