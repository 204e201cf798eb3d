/**
 * Receives a node's events by one WebSocket for all clients. After a reconnection, first sends the missed heads and
 * logs in order.
 */
import type { Upstreams } from '#gateway/upstreams.ts';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { type Gap, MissedBlocks, type Source } from './missed-blocks.ts';
import { NodeSocket } from './node-socket.ts';
import { PendingBodies } from './pending-bodies.ts';
import { type ChainLog, type Head, SentChain } from './sent-chain.ts';
import { type SilenceLimits, SilenceWatch } from './silence-watch.ts';

const subscribeParams = {
  newHeads: ['newHeads'],
  logs: ['logs', {}],
  newPendingTransactions: ['newPendingTransactions'],
  fullPendingTransactions: ['newPendingTransactions', true],
} as const;
export type Topic = keyof typeof subscribeParams;

export interface TopicListener {
  readonly onEvent: (text: string, value: unknown) => void;
  readonly isUsed: () => boolean;
  /** Called if the node rejects the topic after a reconnection. No further event follows. */
  readonly onRefused: () => void;
}

interface ChainEvent {
  readonly topic: Topic;
  readonly text: string;
  readonly value: unknown;
}

const askTimeoutMs = 5_000;
/** Maximum time that events wait for a writer behind the node, and pause between requests to it, ms. */
const [writerWaitMs, writerPauseMs] = [30_000, 500];

/** The source of missed blocks does not answer, or returns an error. */
class SourceFailed extends Error {
  override readonly name = 'SourceFailed';
}

const asSource =
  (ask: Source): Source =>
  async (method, params) => {
    try {
      return await ask(method, params);
    } catch (error) {
      throw new SourceFailed(String(error), { cause: error });
    }
  };

const toSource = (socket: NodeSocket): Source => asSource((method, params) => socket.read(method, params));

class TopicRefused extends Error {
  override readonly name = 'TopicRefused';
}

export class UpstreamEvents {
  readonly #listeners = new Map<Topic, TopicListener>();
  readonly #active = new Map<Topic, Promise<void>>();
  readonly #subscriptions = new Map<string, Topic>();
  readonly #sent = new SentChain();
  readonly #missed: MissedBlocks;
  readonly #bodies: PendingBodies;
  #socket: NodeSocket;
  /** New events that wait until missed events are sent. */
  #held: ChainEvent[] | undefined;
  #pauseMs = 200;
  readonly #silence: SilenceWatch;
  readonly #askWriter: Source = asSource((method, params) =>
    this.upstreams.writer.call(method, params, askTimeoutMs, 'own'),
  );
  readonly url: string;
  readonly upstreams: Upstreams;
  readonly log: Log;
  readonly signal: AbortSignal;

  constructor(
    url: string,
    upstreams: Upstreams,
    log: Log,
    signal: AbortSignal,
    limits: SilenceLimits = { maxSilenceMs: 30_000, checkEveryMs: 5_000 },
  ) {
    this.url = url;
    this.upstreams = upstreams;
    this.log = log;
    this.signal = signal;
    this.#silence = new SilenceWatch(limits.maxSilenceMs);

    this.#missed = new MissedBlocks({
      writer: this.#askWriter,
      sent: this.#sent,
      hasLogs: () => this.#listeners.has('logs'),
      send: (missed, value) => this.#send(missed, value),
    });
    this.#bodies = new PendingBodies(upstreams, (body) =>
      this.#deliver({ topic: 'fullPendingTransactions', text: JSON.stringify(body), value: body }),
    );
    this.#socket = this.#open();
    const watch = setInterval(() => this.#watch(), limits.checkEveryMs);
    signal.addEventListener(
      'abort',
      () => {
        clearInterval(watch);
        this.#socket.terminate();
      },
      { once: true },
    );
  }

  get isConnected(): boolean {
    return this.#socket.isUsable;
  }

  /**
   * Registers the first listener of a topic and subscribes at the node.
   * @throws Error with the node's message if it rejects the topic
   */
  async listen(topic: Topic, listener: TopicListener): Promise<void> {
    if (topic === 'logs' && !this.#listeners.has(topic)) this.#missed.logsFrom = (this.#sent.newest ?? -1) + 1;
    if (!this.#listeners.has(topic)) this.#listeners.set(topic, listener);
    if (this.isConnected) await this.#subscribe(topic); // if not connected, #begin() subscribes later
  }

  #open(): NodeSocket {
    const socket = new NodeSocket(this.url, {
      onOpen: () => void this.#begin(socket),
      onNotification: (subscription, text, value) => this.#receive(subscription, text, value),
      onUnreadable: (error) => this.#logUnreadable(error),
      onClose: () => {
        this.#subscriptions.clear();
        this.#active.clear();
        if (this.signal.aborted) return;
        this.log.warn({ event: 'edge_upstream_lost', retryInMs: this.#pauseMs });
        setTimeout(() => {
          if (!this.signal.aborted) this.#socket = this.#open();
        }, this.#pauseMs).unref();
        this.#pauseMs = Math.min(this.#pauseMs * 2, 5_000);
      },
    });
    this.#silence.reset();
    return socket;
  }

  /** Closes the connection if the node has sent no head for too long. */
  #watch(): void {
    const [{ newest }, { commonHead: head = 0 }] = [this.#sent, this.upstreams];
    if (!this.isConnected) this.#silence.reset();
    if (!this.isConnected || !this.#silence.isSilent(newest, head)) return;
    this.log.warn({ event: 'edge_upstream_silent', newest, head });
    this.#socket.terminate();
  }

  #begin(socket: NodeSocket): Promise<void> {
    return this.#catchUp(socket, async () => {
      await socket.assertChain(this.upstreams.expectedChain);
      const readNewest = async () => {
        const newest = Number((await socket.ask('eth_blockNumber', [])).result);
        if (!Number.isSafeInteger(newest)) throw new Error('the node did not return its block number');
        return newest;
      };
      // must come before the subscription, which sends the blocks that arrive after this call
      if (this.#sent.newest === undefined) await this.#missed.startAt(await readNewest(), toSource(socket));
      for (const topic of new Set<Topic>(['newHeads', ...this.#listeners.keys()])) {
        await this.#subscribe(topic).catch((error: unknown) => {
          if (!(error instanceof TopicRefused) || topic === 'newHeads') throw error;
          this.log.warn({ event: 'edge_topic_refused', topic, error: error.message });
          this.#listeners.get(topic)?.onRefused();
          this.#listeners.delete(topic);
        });
      }
      return readNewest();
    });
  }

  /**
   * Holds new events until all earlier events are sent.
   * @param prepare returns the node's newest block; the node sends events of later blocks itself
   * @param head head that must follow the missed blocks
   */
  async #catchUp(socket: NodeSocket, prepare: () => Promise<number>, head?: Head): Promise<void> {
    const held: ChainEvent[] = [];
    this.#held = held;
    try {
      const through = await prepare();
      const assertCurrent = () => {
        if (this.#socket !== socket || !socket.isOpen)
          throw new Error('the connection was lost before all missed events were sent');
      };
      const gap: Gap = { source: this.#askWriter, through, head, assertCurrent, hasLogs: false };
      const replaced = () => isReplaced(head, held);
      if (!(await this.#fill(gap, replaced))) {
        // the writer is unavailable or stuck: read from the node, which has the blocks that it announces
        gap.source = toSource(socket);
        if (!(await this.#fill(gap, replaced))) throw new Error('the node lacks blocks that it has announced');
      }
      this.#pauseMs = 200;
    } catch (error) {
      // the next connection sends the missed heads and logs
      if (this.#held === held) this.#held = undefined;
      this.log.warn({ event: 'edge_resubscribe_failed', error: String(error) });
      return socket.terminate();
    }
    if (this.#held !== held) return; // another connection to the node has started
    this.#held = undefined;
    // #deliver() may find a gap among these heads: then later events wait again
    for (const event of held) this.#guard(() => this.#deliver(event));
  }

  /**
   * Sends the missed events from a source that may be late.
   * @returns false if the source does not answer or is late for too long
   * @throws SourceBehind if the node has replaced the head
   */
  async #fill(gap: Gap, isHeadReplaced: () => boolean): Promise<boolean> {
    const until = performance.now() + writerWaitMs;
    for (;;) {
      const late = await this.#missed.fill(gap).catch((error: unknown) => {
        if (error instanceof SourceFailed) return error;
        throw error;
      });
      if (!late) return true;
      if (isHeadReplaced()) throw late;
      if (late instanceof SourceFailed || performance.now() >= until) return false;
      await pause(writerPauseMs, this.signal);
      gap.assertCurrent();
    }
  }

  #subscribe(topic: Topic): Promise<void> {
    const begun = this.#active.get(topic);
    if (begun) return begun;
    const made = this.#socket
      .ask('eth_subscribe', subscribeParams[topic], ({ result, error }) => {
        if (!result) throw new TopicRefused(error?.message ?? 'the node rejected the topic');
        this.#subscriptions.set(result, topic);
      })
      .then(() => {});
    this.#active.set(topic, made);
    made.catch(() => {
      if (this.#active.get(topic) === made) this.#active.delete(topic);
    });
    return made;
  }

  #guard(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.#logUnreadable(error);
    }
  }

  #logUnreadable(error: unknown): void {
    this.log.warn({ event: 'edge_upstream_unreadable', error: String(error) });
  }

  #receive(subscription: string, text: string, value: unknown): void {
    const topic = this.#subscriptions.get(subscription);
    if (topic === 'fullPendingTransactions' && typeof value === 'string') {
      if (this.#listeners.get(topic)?.isUsed()) this.#bodies.request(value);
    } else if (topic) this.#deliver({ topic, text, value });
  }

  #deliver(event: ChainEvent): void {
    const { topic, text, value } = event;
    if (!this.#held && topic === 'newHeads' && this.#isAfterGap(value as Head)) {
      const head = value as Head;
      void this.#catchUp(this.#socket, async () => Number(head.number) - 1, head);
    }
    // pending transactions have no order relative to blocks, and can be very many
    if (this.#held && (topic === 'newHeads' || topic === 'logs')) return void this.#held.push(event);
    if (topic === 'newHeads') {
      for (const log of this.#sent.takeReplaced(value as Head)) this.#send('logs', { ...log, removed: true });
      if (!this.#sent.addHead(value as Head)) return;
    }
    if (topic === 'logs' && !this.#sent.addLog(value as ChainLog)) return;
    this.#listeners.get(topic)?.onEvent(text, value);
  }

  /** Returns whether the node skipped blocks before a head, also after a reorg. */
  #isAfterGap(head: Head): boolean {
    const { newest } = this.#sent;
    return newest !== undefined && (Number(head.number) > newest + 1 || !this.#missed.isLinked(head));
  }

  #send(topic: Topic, value: unknown): void {
    this.#listeners.get(topic)?.onEvent(JSON.stringify(value), value);
  }
}

/** Returns whether the node later sent another block of the same height. The writer may never have the first one. */
const isReplaced = (head: Head | undefined, later: readonly ChainEvent[]): boolean =>
  head !== undefined &&
  later.some(({ topic, value }) => {
    const { number, hash } = value as Head;
    return topic === 'newHeads' && Number(number) <= Number(head.number) && hash !== head.hash;
  });
