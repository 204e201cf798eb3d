/**
 * Events of the chain from one WebSocket to a node, for all who listen. Comes back by itself after a loss: heads and logs
 * of the blocks that were missed are fetched and given in order before new ones.
 */
import { WebSocket } from 'ws';
import type { Fleet } from '#gateway/fleet.ts';
import { sliceObject } from '#gateway/json-slices.ts';
import type { Log } from '#runtime/log.ts';

export const topics = ['newHeads', 'logs', 'newPendingTransactions'] as const;
export type Topic = (typeof topics)[number];

/** @param text the event as the node wrote it @param value the same, parsed */
export type Listener = (text: string, value: unknown) => void;

interface Head {
  readonly number: string;
  readonly hash: string;
}

/** Heads that are remembered, to find out what a lost connection missed. */
const rememberedHeads = 256;
const askTimeoutMs = 5_000;

export class UpstreamEvents {
  readonly #listeners = new Map<Topic, Listener>();
  /** Answers that are waited for, by id of the request. */
  readonly #pending = new Map<number, { topic: Topic; settle: (error?: Error) => void }>();
  readonly #subscriptions = new Map<string, Topic>();
  /** Block hash by height, as told to listeners. */
  readonly #heads = new Map<number, string>();
  #socket: WebSocket | undefined;
  #held: (() => void)[] | undefined;
  #nextId = 1;
  #pauseMs = 200;

  constructor(
    readonly url: string,
    readonly fleet: Fleet,
    readonly log: Log,
    readonly signal: AbortSignal,
  ) {
    this.#open();
    signal.addEventListener('abort', () => this.#socket?.terminate(), { once: true });
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Listens to a topic; one listener each. @throws Error with the node's word where it does not have the topic */
  async listen(topic: Topic, listener: Listener): Promise<void> {
    if (this.#listeners.has(topic)) return;
    this.#listeners.set(topic, listener);
    if (!this.isConnected) return; // subscribed as soon as there is a connection
    await this.#subscribe(topic).catch((error: unknown) => {
      this.#listeners.delete(topic);
      throw error;
    });
  }

  #open(): void {
    if (this.signal.aborted) return;
    const socket = new WebSocket(this.url, { maxPayload: 64 << 20, handshakeTimeout: 5_000, perMessageDeflate: false });
    this.#socket = socket;
    socket.on('open', () => void this.#begin(socket));
    socket.on('message', (data) => {
      try {
        this.#receive(data.toString());
      } catch (error) {
        this.log.warn({ event: 'edge_upstream_unreadable', error: String(error) });
      }
    });
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => {
      this.#subscriptions.clear();
      for (const { settle } of this.#pending.values()) settle(new Error('the connection to the node was lost'));
      this.#pending.clear();
      if (this.signal.aborted) return;
      this.log.warn({ event: 'edge_upstream_lost', retryInMs: this.#pauseMs });
      setTimeout(() => this.#open(), this.#pauseMs).unref();
      this.#pauseMs = Math.min(this.#pauseMs * 2, 5_000);
    });
  }

  /** Subscribes to everything that is listened to; what comes meanwhile waits until the gap is filled. */
  async #begin(socket: WebSocket): Promise<void> {
    this.#held = [];
    try {
      for (const topic of this.#listeners.keys()) await this.#subscribe(topic);
      if (this.#listeners.size > 0) await this.#fillGap();
      this.#pauseMs = 200;
    } catch (error) {
      this.log.warn({ event: 'edge_resubscribe_failed', error: String(error) });
      socket.terminate();
    }
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const deliver of held) deliver();
  }

  #subscribe(topic: Topic): Promise<void> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(new Error('the node did not answer')), askTimeoutMs);
      const settle = (error?: Error) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        error ? reject(error) : resolve();
      };
      this.#pending.set(id, { topic, settle });
      const params = topic === 'logs' ? [topic, {}] : [topic];
      this.#socket!.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params }));
    });
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      result?: string;
      error?: { message: string };
      params?: { subscription: string; result: unknown };
    };
    if (message.params) {
      const topic = this.#subscriptions.get(message.params.subscription);
      if (topic) this.#deliver(topic, resultText(text), message.params.result);
      return;
    }
    const pending = this.#pending.get(message.id ?? -1);
    if (!pending) return;
    if (message.result) this.#subscriptions.set(message.result, pending.topic);
    pending.settle(message.result ? undefined : new Error(message.error?.message ?? 'the node refused'));
  }

  #deliver(topic: Topic, text: string, value: unknown): void {
    const deliver = () => {
      if (topic === 'newHeads' && !this.#isNews(value as Head)) return;
      if (topic === 'logs' && this.#isFilled(value as { blockNumber: string; blockHash: string })) return;
      this.#listeners.get(topic)?.(text, value);
    };
    if (this.#held) this.#held.push(deliver);
    else deliver();
  }

  /** Remembers a head. @returns false when it was told already and is still the newest of its height */
  #isNews({ number, hash }: Head): boolean {
    const height = Number(number);
    if (this.#heads.get(height) === hash) return false;
    for (const known of [...this.#heads.keys()])
      if (known >= height || known < height - rememberedHeads) this.#heads.delete(known);
    this.#heads.set(height, hash);
    return true;
  }

  /** Hashes of blocks whose logs were fetched, not heard. */
  readonly #filled = new Set<string>();

  #isFilled({ blockHash }: { blockHash: string }): boolean {
    return this.#filled.has(blockHash);
  }

  /** Tells heads and logs of the blocks since the last head that is still on the chain. */
  async #fillGap(): Promise<void> {
    const newest = Math.max(...this.#heads.keys());
    if (!Number.isFinite(newest)) return;
    this.#filled.clear();
    const blockAt = (height: number) =>
      this.fleet.writer.call(
        'eth_getBlockByNumber',
        [`0x${height.toString(16)}`, false],
        askTimeoutMs,
      ) as Promise<Head | null>;
    let fork = newest;
    while (this.#heads.has(fork) && (await blockAt(fork))?.hash !== this.#heads.get(fork)) fork--;
    for (let height = fork + 1; height <= fork + rememberedHeads; height++) {
      const block = await blockAt(height);
      if (!block) return;
      const {
        transactions: _,
        uncles: __,
        withdrawals: ___,
        size: ____,
        ...header
      } = block as Head & Record<string, unknown>;
      if (this.#isNews(block)) this.#listeners.get('newHeads')?.(JSON.stringify(header), header);
      await this.#fillLogs(block.hash);
    }
  }

  async #fillLogs(blockHash: string): Promise<void> {
    const listener = this.#listeners.get('logs');
    if (!listener) return;
    const logs = (await this.fleet.writer.call('eth_getLogs', [{ blockHash }], askTimeoutMs)) as unknown[];
    this.#filled.add(blockHash);
    for (const log of logs) listener(JSON.stringify(log), log);
  }
}

/** The member params.result as it was written. */
function resultText(text: string): string {
  const params = sliceObject(text).find(([name]) => name === 'params')![1];
  return sliceObject(params).find(([name]) => name === 'result')![1];
}
