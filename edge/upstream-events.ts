/**
 * Events of the chain from one WebSocket to a node, for all who listen. Comes back by itself after a loss: what happened
 * to heads and logs meanwhile is found out and told in order, before anything new.
 */
import { WebSocket } from 'ws';
import { sliceObject } from '#gateway/json-slices.ts';
import type { Upstreams } from '#gateway/upstreams.ts';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { PendingBodies } from './pending-bodies.ts';
import { type ChainLog, type Head, ToldChain } from './told-chain.ts';

/** What the node is asked for, by topic. */
const paramsOf = {
  newHeads: ['newHeads'],
  logs: ['logs', {}],
  newPendingTransactions: ['newPendingTransactions'],
  fullPendingTransactions: ['newPendingTransactions', true],
} as const;
export type Topic = keyof typeof paramsOf;

/** @param text the event as the node wrote it @param value the same, parsed */
export type Listener = (text: string, value: unknown) => void;

const askTimeoutMs = 5_000;
const pingEveryMs = 20_000;

/** The node has no such topic; a lost connection is another matter. */
class TopicRefused extends Error {
  override readonly name = 'TopicRefused';
}

export class UpstreamEvents {
  readonly #listeners = new Map<Topic, Listener>();
  /** Subscriptions under way or made on the present connection. */
  readonly #active = new Map<Topic, Promise<void>>();
  /** Answers that are waited for, by id of the request. */
  readonly #pending = new Map<number, { topic: Topic; finalize: (error?: Error) => void }>();
  readonly #subscriptions = new Map<string, Topic>();
  readonly #told = new ToldChain();
  readonly #bodies: PendingBodies;
  #socket: WebSocket | undefined;
  /** Events that wait until the gap before them is filled. */
  #held: (() => void)[] | undefined;
  #nextId = 1;
  #pauseMs = 200;
  readonly url: string;
  readonly upstreams: Upstreams;
  readonly log: Log;
  readonly signal: AbortSignal;

  constructor(url: string, upstreams: Upstreams, log: Log, signal: AbortSignal) {
    this.url = url;
    this.upstreams = upstreams;
    this.log = log;
    this.signal = signal;

    this.#bodies = new PendingBodies(upstreams, (body) =>
      this.#deliver('fullPendingTransactions', JSON.stringify(body), body),
    );
    this.#open();
    signal.addEventListener('abort', () => this.#socket?.terminate(), { once: true });
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Listens to a topic; one listener each. @throws Error with the node's word where it does not have the topic */
  async listen(topic: Topic, listener: Listener): Promise<void> {
    if (!this.#listeners.has(topic)) this.#listeners.set(topic, listener);
    if (this.isConnected) await this.#subscribe(topic); // else as soon as there is a connection
  }

  #open(): void {
    if (this.signal.aborted) return;
    const socket = new WebSocket(this.url, { maxPayload: 64 << 20, handshakeTimeout: 5_000, perMessageDeflate: false });
    this.#socket = socket;
    let isAlive = true;
    const pings = setInterval(() => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    }, pingEveryMs);
    socket.on('pong', () => {
      isAlive = true;
    });
    socket.on('open', () => void this.#begin(socket));
    socket.on('message', (data) => {
      isAlive = true;
      this.#take(data.toString());
    });
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => {
      clearInterval(pings);
      this.#forget();
      if (this.signal.aborted) return;
      this.log.warn({ event: 'edge_upstream_lost', retryInMs: this.#pauseMs });
      setTimeout(() => this.#open(), this.#pauseMs).unref();
      this.#pauseMs = Math.min(this.#pauseMs * 2, 5_000);
    });
  }

  #forget(): void {
    this.#subscriptions.clear();
    this.#active.clear();
    for (const { finalize } of [...this.#pending.values()]) finalize(new Error('the connection to the node was lost'));
  }

  /** Subscribes to everything that is listened to, and to heads in any case: by them a gap is found. */
  async #begin(socket: WebSocket): Promise<void> {
    const held: (() => void)[] = [];
    this.#held = held;
    try {
      for (const topic of new Set<Topic>(['newHeads', ...this.#listeners.keys()])) {
        await this.#subscribe(topic).catch((error: unknown) => {
          if (!(error instanceof TopicRefused) || topic === 'newHeads') throw error;
          this.#listeners.delete(topic);
          this.log.warn({ event: 'edge_topic_refused', topic, error: error.message });
        });
      }
      await this.#fillGap(() => this.#socket === socket && socket.readyState === WebSocket.OPEN);
      this.#pauseMs = 200;
    } catch (error) {
      if (this.#held === held) this.#held = undefined; // nothing newer is told before the gap is filled
      this.log.warn({ event: 'edge_resubscribe_failed', error: String(error) });
      return socket.terminate();
    }
    if (this.#held !== held) return; // another connection has begun meanwhile
    this.#held = undefined;
    for (const deliver of held) deliver();
  }

  /** Once a connection. @throws TopicRefused */
  #subscribe(topic: Topic): Promise<void> {
    const begun = this.#active.get(topic);
    if (begun) return begun;
    const id = this.#nextId++;
    const made = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => finalize(new Error('the node did not answer')), askTimeoutMs);
      const finalize = (error?: Error) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        error ? reject(error) : resolve();
      };
      this.#pending.set(id, { topic, finalize });
      const request = { jsonrpc: '2.0', id, method: 'eth_subscribe', params: paramsOf[topic] };
      known(this.#socket, 'the connection to the node').send(JSON.stringify(request));
    });
    this.#active.set(topic, made);
    made.catch(() => {
      if (this.#active.get(topic) === made) this.#active.delete(topic);
    });
    return made;
  }

  #take(text: string): void {
    try {
      this.#receive(text);
    } catch (error) {
      this.log.warn({ event: 'edge_upstream_unreadable', error: String(error) });
    }
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
      const isHash = topic === 'fullPendingTransactions' && typeof message.params.result === 'string';
      if (isHash) this.#bodies.tell(message.params.result as string);
      else if (topic) this.#deliver(topic, resultText(text), message.params.result);
      return;
    }
    const pending = this.#pending.get(message.id ?? -1);
    if (!pending) return;
    if (message.result) this.#subscriptions.set(message.result, pending.topic);
    pending.finalize(message.result ? undefined : new TopicRefused(message.error?.message ?? 'the node refused'));
  }

  #deliver(topic: Topic, text: string, value: unknown): void {
    const deliver = () => {
      if (topic === 'newHeads' && !this.#told.addHead(value as Head)) return;
      if (topic === 'logs' && !this.#told.addLog(value as ChainLog)) return;
      this.#listeners.get(topic)?.(text, value);
    };
    if (this.#held) this.#held.push(deliver);
    else deliver();
  }

  /** Tells what became of heads and logs since the last head that is still on the chain. @throws where the writer does not answer */
  async #fillGap(isCurrent: () => boolean): Promise<void> {
    let height = this.#told.newest;
    if (height === undefined) return;
    while (this.#told.hashAt(height) !== undefined && (await this.#block(height))?.hash !== this.#told.hashAt(height))
      height--;
    if (!isCurrent()) return;
    for (const log of this.#told.cutAbove(height)) this.#tell('logs', { ...log, removed: true });
    while (await this.#tellBlock(++height, isCurrent));
  }

  /** @returns false where there is no such block yet, or the connection is another one now */
  async #tellBlock(height: number, isCurrent: () => boolean): Promise<boolean> {
    const block = await this.#block(height);
    const logs = block && this.#listeners.has('logs') ? await this.#logs(block.hash) : [];
    if (!block || !isCurrent()) return false;
    const { transactions: _, uncles: __, withdrawals: ___, size: ____, ...header } = block;
    if (this.#told.addHead(block)) this.#tell('newHeads', header);
    for (const log of logs) if (this.#told.addLog(log)) this.#tell('logs', log);
    return true;
  }

  #tell(topic: Topic, value: unknown): void {
    this.#listeners.get(topic)?.(JSON.stringify(value), value);
  }

  #block(height: number): Promise<(Head & Record<string, unknown>) | null> {
    const params = [`0x${height.toString(16)}`, false];
    return this.upstreams.writer.call('eth_getBlockByNumber', params, askTimeoutMs) as Promise<
      (Head & Record<string, unknown>) | null
    >;
  }

  #logs(blockHash: string): Promise<ChainLog[]> {
    return this.upstreams.writer.call('eth_getLogs', [{ blockHash }], askTimeoutMs) as Promise<ChainLog[]>;
  }
}

/** The member params.result as it was written. */
const resultText = (text: string) => memberOf(memberOf(text, 'params'), 'result');

const memberOf = (text: string, member: string) =>
  known(sliceObject(text).find(([name]) => name === member)?.[1], member);
