/**
 * Receives a node's events by one WebSocket for all clients. After a lost connection, first sends the missed heads and
 * logs in order.
 */
import { WebSocket } from 'ws';
import { sliceObject } from '#gateway/json-slices.ts';
import type { Upstreams } from '#gateway/upstreams.ts';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { PendingBodies } from './pending-bodies.ts';
import { type ChainLog, type Head, SentChain } from './sent-chain.ts';

const subscribeParams = {
  newHeads: ['newHeads'],
  logs: ['logs', {}],
  newPendingTransactions: ['newPendingTransactions'],
  fullPendingTransactions: ['newPendingTransactions', true],
} as const;
export type Topic = keyof typeof subscribeParams;

export type Listener = (text: string, value: unknown) => void;

const askTimeoutMs = 5_000;
const pingEveryMs = 20_000;
/** Time after which a node that lacks blocks is believed to have another, shorter chain, ms. */
const maxBehindMs = 120_000;

class TopicRefused extends Error {
  override readonly name = 'TopicRefused';
}

export class UpstreamEvents {
  readonly #listeners = new Map<Topic, Listener>();
  readonly #active = new Map<Topic, Promise<void>>();
  readonly #pending = new Map<number, { topic: Topic; finalize: (error?: Error) => void }>();
  readonly #subscriptions = new Map<string, Topic>();
  readonly #sent = new SentChain();
  readonly #bodies: PendingBodies;
  #socket: WebSocket | undefined;
  /** New events that wait until missed events are sent. */
  #held: (() => void)[] | undefined;
  /** Height of the first block whose logs clients expect. */
  #logsFrom = 0;
  #nextId = 1;
  #pauseMs = 200;
  #behindSince: number | undefined;
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

  /**
   * Registers the listener of a topic that has none, and subscribes at the node.
   * @throws Error with the node's message if it rejects the topic
   */
  async listen(topic: Topic, listener: Listener): Promise<void> {
    if (topic === 'logs' && !this.#listeners.has(topic)) this.#logsFrom = (this.#sent.newest ?? -1) + 1;
    if (!this.#listeners.has(topic)) this.#listeners.set(topic, listener);
    if (this.isConnected) await this.#subscribe(topic); // not connected: #begin() subscribes when the connection opens
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
      this.#guard(() => this.#receive(data.toString()));
    });
    socket.on('error', () => {}); // the event 'close' follows, and its handler reconnects
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

  /** Subscribes to heads and all topics, then sends what was missed. */
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
      await this.#fillGap(() => {
        if (this.#socket !== socket || socket.readyState !== WebSocket.OPEN)
          throw new Error('the connection was lost before all missed events were sent');
      });
      this.#pauseMs = 200;
    } catch (error) {
      // the next connection sends waiting heads and logs; others are lost
      if (this.#held === held) this.#held = undefined;
      this.log.warn({ event: 'edge_resubscribe_failed', error: String(error) });
      return socket.terminate();
    }
    if (this.#held !== held) return; // another connection to the node has started meanwhile
    this.#held = undefined;
    for (const deliver of held) this.#guard(deliver);
  }

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
      const request = { jsonrpc: '2.0', id, method: 'eth_subscribe', params: subscribeParams[topic] };
      known(this.#socket, 'the connection to the node').send(JSON.stringify(request));
    });
    this.#active.set(topic, made);
    made.catch(() => {
      if (this.#active.get(topic) === made) this.#active.delete(topic);
    });
    return made;
  }

  /** Ends the handling of one message of the node if it is malformed. */
  #guard(handle: () => void): void {
    try {
      handle();
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
      if (isHash) this.#bodies.request(message.params.result as string);
      else if (topic) this.#deliver(topic, resultText(text), message.params.result);
      return;
    }
    const pending = this.#pending.get(message.id ?? -1);
    if (!pending) return;
    if (message.result) this.#subscriptions.set(message.result, pending.topic);
    pending.finalize(
      message.result ? undefined : new TopicRefused(message.error?.message ?? 'the node rejected the topic'),
    );
  }

  #deliver(topic: Topic, text: string, value: unknown): void {
    const deliver = () => {
      if (topic === 'newHeads' && !this.#sent.addHead(value as Head)) return;
      if (topic === 'logs' && !this.#sent.addLog(value as ChainLog)) return;
      this.#listeners.get(topic)?.(text, value);
    };
    if (this.#held) this.#held.push(deliver);
    else deliver();
  }

  /**
   * Sends missed heads and logs after the last sent head that is still on the chain.
   * @param assertCurrent throws after the connection was lost: then the next connection continues
   * @throws Error while the node lacks the sent heads, for two minutes: it may only be late, so no log may be retracted
   */
  async #fillGap(assertCurrent: () => void): Promise<void> {
    let height = this.#sent.newest;
    if (height === undefined) return;
    let isBehind = false;
    while (this.#sent.hashAt(height) !== undefined) {
      const block = await this.#block(height);
      if (block?.hash === this.#sent.hashAt(height)) break;
      isBehind = block === null;
      height--;
    }
    this.#behindSince = isBehind ? (this.#behindSince ?? Date.now()) : undefined;
    if (this.#behindSince !== undefined && Date.now() - this.#behindSince < maxBehindMs)
      throw new Error(`the node lacks block ${this.#sent.newest}, which clients have`);
    assertCurrent();
    for (const log of this.#sent.cutAbove(height)) this.#send('logs', { ...log, removed: true });
    await this.#sendMissingLogs(assertCurrent);
    while (await this.#sendBlock(++height, assertCurrent));
  }

  /** Sends missing logs of sent heads, in case the connection was lost between a head and its logs. */
  async #sendMissingLogs(assertCurrent: () => void): Promise<void> {
    if (!this.#listeners.has('logs')) return;
    for (const { height, hash } of this.#sent.blocksToRecheck()) {
      if (height < this.#logsFrom) continue;
      const logs = await this.#logs(hash);
      assertCurrent();
      this.#sendLogs(logs);
    }
  }

  #sendLogs(logs: readonly ChainLog[]): void {
    for (const log of logs) if (this.#sent.addLog(log)) this.#send('logs', log);
  }

  /** @returns false if the block doesn't exist yet */
  async #sendBlock(height: number, assertCurrent: () => void): Promise<boolean> {
    const block = await this.#block(height);
    const logs = block && this.#listeners.has('logs') ? await this.#logs(block.hash) : [];
    assertCurrent();
    if (!block) return false;
    const { transactions: _, uncles: __, withdrawals: ___, size: ____, ...header } = block;
    if (this.#sent.addHead(block)) this.#send('newHeads', header);
    this.#sendLogs(logs);
    return true;
  }

  #send(topic: Topic, value: unknown): void {
    this.#listeners.get(topic)?.(JSON.stringify(value), value);
  }

  #block(height: number): Promise<(Head & Record<string, unknown>) | null> {
    const params = [`0x${height.toString(16)}`, false];
    return this.upstreams.writer.call('eth_getBlockByNumber', params, askTimeoutMs, 'own') as Promise<
      (Head & Record<string, unknown>) | null
    >;
  }

  #logs(blockHash: string): Promise<ChainLog[]> {
    return this.upstreams.writer.call('eth_getLogs', [{ blockHash }], askTimeoutMs, 'own') as Promise<ChainLog[]>;
  }
}

const resultText = (text: string) => sliceMember(sliceMember(text, 'params'), 'result');

const sliceMember = (text: string, member: string) =>
  known(sliceObject(text).find(([name]) => name === member)?.[1], member);
