import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import {
  admitFurther,
  chargeReply,
  countedCaller,
  forwardRpc,
  limitExceeded,
  listReplies,
  type RpcCaller,
  refuseText,
} from '#gateway/forward.ts';
import { hasWrite } from '#gateway/method-policy.ts';
import { errorText, type RpcCall, RpcRefusal, readRpcRequest } from '#gateway/rpc-request.ts';
import type { Upstreams } from '#gateway/upstreams.ts';
import { getFirst } from '#runtime/lists.ts';
import { countChoices, type LogFilter, matchesLog, readLogFilter } from './log-filter.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { UnsentEvents } from './unsent-events.ts';
import type { Topic } from './upstream-events.ts';

const maxSubscriptions = 64;
/** Maximum addresses and topics in all log filters of a connection. Each takes about 100 bytes of memory. */
const maxChoicesInAll = 5_000;
const maxCallsAtOnce = 64;
/** A connection with more rejected calls per minute is closed, because rejections cost CPU time too. */
const maxRefusals = { overLimit: 256, atOnce: 1_024 };
const refusalWindowMs = 60_000;
/** Maximum unsent reply bytes per WebSocket client. ReplyMemory also limits replies of nodes per caller. */
const maxWaitingReplyBytes = 128 * 1024 * 1024;

interface Subscription {
  readonly topic: Topic;
  readonly filter: LogFilter | undefined;
  /** Call it at the end of the subscription. */
  readonly release: () => void;
}

/** Subscription whose id the client does not know yet. It gets no events but counts towards the limit. */
interface NewSubscription extends Subscription {
  readonly id: string;
}

export interface ClientOptions {
  readonly upstreams: Upstreams;
  readonly subscriptions: Subscriptions;
  readonly target: 'writer' | 'reads';
  readonly caller: Omit<RpcCaller, 'delivered'>;
  /** Counts a subscription. @returns the function that ends it; undefined if the address or its network has too many */
  readonly takeSubscription: () => (() => void) | undefined;
  readonly unsentEvents: UnsentEvents;
  /** Called when the client is disconnected because it has too many unsent bytes. */
  readonly onSlow: () => void;
}

export class ClientSocket {
  readonly #subscriptions = new Map<string, Subscription>();
  /** One per message whose reply the client has not received. */
  readonly #undelivered = new Set<AbortController>();
  #calls = 0;
  #refusals = { overLimit: 0, atOnce: 0, sinceMs: 0 };
  /** Number of subscriptions that have not begun. */
  #joining = 0;
  /** Addresses and topics in the log filters of this connection. */
  #choices = 0;
  #unsentReplyBytes = 0;
  /** False from a WebSocket ping until the client answers. */
  isAlive = true;
  /** Unsent bytes at the last ping. */
  #waitingAtPing = 0;
  readonly socket: WebSocket;
  readonly options: ClientOptions;

  constructor(socket: WebSocket, options: ClientOptions) {
    this.socket = socket;
    this.options = options;

    const { subscriptions } = options;
    socket.on('message', (data) => void this.#receive(data.toString()));
    socket.on('pong', () => {
      this.isAlive = true;
    });
    socket.on('error', () => {}); // the 'close' handler cleans up
    socket.on('close', () => {
      for (const { topic, release } of this.#subscriptions.values()) {
        subscriptions.leave(topic, this);
        release();
      }
      this.#subscriptions.clear();
      for (const delivered of this.#undelivered) delivered.abort();
      this.#undelivered.clear();
    });
  }

  /** Returns whether the client answered the last ping, or has read some of the unsent bytes. Call it at each ping. */
  wasHeard(): boolean {
    const waiting = this.socket.bufferedAmount;
    const isReading = waiting < this.#waitingAtPing;
    this.#waitingAtPing = waiting;
    return this.isAlive || isReading;
  }

  /**
   * Disconnects a client with too many unsent events. Call it at each ping, because no new event may arrive.
   * @returns whether the client was disconnected
   */
  disconnectIfSlow(): boolean {
    const isSlow = this.#isSlow();
    if (isSlow) this.#cutOff();
    return isSlow;
  }

  #cutOff(): void {
    if (this.socket.readyState === this.socket.OPEN) this.options.onSlow();
    this.socket.terminate();
  }

  #isSlow(): boolean {
    return this.options.unsentEvents.areTooMany(this.socket.bufferedAmount - this.#unsentReplyBytes);
  }

  get subscriptionCount(): number {
    return this.#subscriptions.size;
  }

  notify(topic: Topic, text: string, value: unknown): void {
    for (const [id, { topic: subscribedTopic, filter }] of this.#subscriptions) {
      if (subscribedTopic !== topic || (filter && !matchesLog(filter, value as never))) continue;
      const event = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${text}}}`;
      this.#send(event, this.options.unsentEvents.add(event.length));
    }
  }

  end(): void {
    this.socket.close(1013, 'the node no longer sends these events: subscribe again');
  }

  /** @param sent called when the reply was sent, or the connection is closed */
  #reply(text: string, sent: () => void): void {
    const bytes = Buffer.byteLength(text);
    this.#unsentReplyBytes += bytes;
    this.#send(text, () => {
      this.#unsentReplyBytes -= bytes;
      sent();
    });
  }

  /** @param sent called when the text was sent, or the connection is closed */
  #send(text: string, sent: () => void = () => {}): void {
    if (this.#isSlow() || this.#unsentReplyBytes > maxWaitingReplyBytes) {
      this.#cutOff();
      sent();
    } else this.socket.send(text, sent);
  }

  async #receive(text: string): Promise<void> {
    if (this.socket.readyState !== this.socket.OPEN) return; // messages that arrived before the connection closed
    if (this.#calls >= maxCallsAtOnce) {
      const message = `too many requests at once: the limit is ${maxCallsAtOnce} per connection`;
      return this.#refuse(text, new RpcRefusal(429, -32005, message), 'atOnce');
    }
    this.#calls++;
    const made: NewSubscription[] = [];
    const delivered = new AbortController();
    const end = () => {
      delivered.abort();
      this.#undelivered.delete(delivered);
    };
    this.#undelivered.add(delivered);
    try {
      const answer = await this.#answer(text, made, delivered.signal);
      if (answer === '')
        end(); // JSON-RPC notifications get no reply
      else this.#reply(answer, end);
    } catch (error) {
      end();
      this.#refuse(text, error instanceof RpcRefusal ? error : new RpcRefusal(500, -32603, 'internal error'));
    } finally {
      this.#calls--;
      for (const one of made) this.#begin(one); // after the reply: the client must know an id before its first event
    }
  }

  #refuse(text: string, error: RpcRefusal, kind: keyof typeof maxRefusals = 'overLimit'): void {
    if (error.status === 429 && this.#exceedsRefusals(kind)) {
      this.socket.close(1008, 'too many requests over the limits: wait before you connect again');
      return;
    }
    const refusal = refuseText(text, error);
    if (refusal !== '') this.#send(refusal); // notifications get no reply
  }

  #exceedsRefusals(kind: keyof typeof maxRefusals): boolean {
    const now = performance.now();
    if (now - this.#refusals.sinceMs > refusalWindowMs) this.#refusals = { overLimit: 0, atOnce: 0, sinceMs: now };
    return ++this.#refusals[kind] > maxRefusals[kind];
  }

  async #answer(text: string, made: NewSubscription[], delivered: AbortSignal): Promise<string> {
    const { upstreams, target, caller } = this.options;
    const { name, admits } = caller;
    if (!(await admits(1))) throw limitExceeded(); // invalid requests also count against the rate limit
    const request = readRpcRequest(text);
    const { calls, invalid, isBatch } = request;
    const isOurs = ({ method }: RpcCall) => method === 'eth_subscribe' || method === 'eth_unsubscribe';
    const isRefused = target === 'reads' && hasWrite(calls);
    await admitFurther(request, admits);
    const counted = countedCaller(name, delivered);
    if (isRefused || !calls.some(isOurs)) {
      const { body } = await forwardRpc(upstreams, target, text, counted);
      await chargeReply(caller, body);
      return String(body);
    }
    const replies: string[] = [...invalid];
    // send the other calls to one node, as in any batch
    const others = calls.filter((call) => !isOurs(call)).map((call) => call.text);
    if (others.length > 0) {
      const reply = await forwardRpc(upstreams, target, `[${others.join(',')}]`, counted);
      await chargeReply(caller, reply.body);
      replies.push(...listReplies(reply));
    }
    for (const call of calls.filter(isOurs)) replies.push(await this.#answerOwn(call, made));
    const answered = replies.filter((reply) => reply !== '');
    if (answered.length === 0) return '';
    return isBatch ? `[${answered.join(',')}]` : getFirst(answered);
  }

  async #answerOwn({ method, id, text }: RpcCall, made: NewSubscription[]): Promise<string> {
    const params = (JSON.parse(text) as { params?: unknown }).params;
    const list = Array.isArray(params) ? params : [];
    const result = (value: unknown) => `{"jsonrpc":"2.0","id":${id ?? 'null'},"result":${JSON.stringify(value)}}`;
    if (method === 'eth_unsubscribe') return result(this.#unsubscribe(String(list[0])));
    try {
      const one = await this.#subscribe(list);
      made.push(one);
      return result(one.id);
    } catch (error) {
      return errorText(id, -32602, (error as Error).message);
    }
  }

  async #subscribe([name, options]: unknown[]): Promise<NewSubscription> {
    const topic = readTopic(name, options);
    if (this.#subscriptions.size + this.#joining >= maxSubscriptions)
      throw new Error(`too many subscriptions: the limit is ${maxSubscriptions} per connection`);
    const filter = topic === 'logs' ? readLogFilter(options) : undefined;
    const choices = filter ? countChoices(filter) : 0;
    if (this.#choices + choices > maxChoicesInAll)
      throw new Error(`too many addresses and topics: the limit is ${maxChoicesInAll} per connection`);
    const release = this.options.takeSubscription();
    if (!release) throw new Error('too many subscriptions from your address or network: end others first');
    this.#joining++;
    this.#choices += choices;
    try {
      await this.options.subscriptions.join(topic, this);
    } catch (error) {
      this.#joining--;
      this.#choices -= choices;
      release();
      throw error;
    }
    return { id: `0x${randomBytes(16).toString('hex')}`, topic, filter, release };
  }

  #begin({ id, topic, filter, release }: NewSubscription): void {
    this.#joining--;
    if (this.socket.readyState !== this.socket.OPEN) {
      release();
      this.#leaveUnused(topic);
      return;
    }
    this.#subscriptions.set(id, { topic, filter, release });
    this.options.subscriptions.enter(topic, this); // the end of another subscription may have removed this client from the topic
  }

  #unsubscribe(id: string): boolean {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) return false;
    this.#subscriptions.delete(id);
    subscription.release();
    if (subscription.filter) this.#choices -= countChoices(subscription.filter);
    this.#leaveUnused(subscription.topic);
    return true;
  }

  #leaveUnused(topic: Topic): void {
    const isUsed = [...this.#subscriptions.values()].some((one) => one.topic === topic);
    if (!isUsed) this.options.subscriptions.leave(topic, this);
  }
}

const names = ['newHeads', 'logs', 'newPendingTransactions'] as const;

/** Option `true` requests full pending transactions instead of hashes. @source geth, eth_subscribe */
function readTopic(name: unknown, options: unknown): Topic {
  const topic = names.find((known) => known === name);
  if (!topic) throw new Error(`the subscription must be one of ${names.join(', ')}`);
  return topic === 'newPendingTransactions' && options === true ? 'fullPendingTransactions' : topic;
}
