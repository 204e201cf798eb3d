/** Sends each request to the least loaded endpoint that can answer. After an error, tries another one. */
import { pause } from '#runtime/shutdown.ts';
import { NodeError, TransportError, UnsupportedMethodError } from '../errors.ts';
import { type Call, Endpoint, type EndpointHealth, type RpcObserver } from './endpoint.ts';
import { type ReadReply, readReply } from './read-reply.ts';
import type { Transport } from './transport-http.ts';

interface RpcOptions {
  readonly urls: readonly string[];
  readonly timeoutMs: number;
  readonly maxInFlight: number;
  readonly observer?: RpcObserver;
  /** Answers all requests, instead of the nodes. */
  readonly transport?: Transport;
}

interface RequestOptions {
  readonly minHead?: number;
  /** Queries only nodes near the highest head: others would return old states for the newest block. */
  readonly isNewest?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly retries?: number;
  readonly endpoint?: Endpoint | undefined;
  readonly avoid?: ReadonlySet<Endpoint>;
}

interface Answer<T> {
  readonly results: T;
  readonly endpoint: Endpoint;
}

/** Maximum blocks behind the most advanced node, for calls about the newest block. */
const maxLag = 3;
/** Age above which a reported head is ignored, ms: its node may have failed. */
const maxHeadAgeMs = 60_000;
/** Maximum blocks above all other heads. A higher head is ignored, because its node serves another chain. */
const maxLead = 1_000;

/** Methods whose reply depends on the node's history. Error codes for missing history differ between nodes. */
const ofBlocks = /^eth_getBlock|^eth_getTransactionReceipt$/;

export class RpcClient {
  readonly endpoints: readonly Endpoint[];
  readonly options: RpcOptions;

  constructor(options: RpcOptions) {
    this.options = options;

    this.endpoints = options.urls.map(
      (url, place) =>
        new Endpoint({
          url,
          place,
          timeoutMs: options.timeoutMs,
          maxInFlight: options.maxInFlight,
          observer: options.observer,
          transport: options.transport,
        }),
    );
  }

  get health(): EndpointHealth[] {
    return this.endpoints.map((endpoint) => endpoint.health);
  }

  /** @throws NodeError; TransportError when no endpoint answered after all retries */
  async call<T>(method: string, params: readonly unknown[], options: RequestOptions = {}): Promise<T> {
    const { results } = await this.batch([{ method, params }], options);
    return results[0] as T;
  }

  batch(calls: readonly Call[], options: RequestOptions = {}): Promise<Answer<unknown[]>> {
    return this.batchBy(readReply, calls, options);
  }

  /** @param read parses the reply, for example on another thread */
  async batchBy<T>(read: ReadReply<T>, calls: readonly Call[], options: RequestOptions = {}): Promise<Answer<T>> {
    const { retries = 5, signal } = options;
    const avoid = new Set(options.avoid);
    for (let attempt = 0; ; attempt++) {
      const endpoint = this.#pick(calls, options, avoid);
      if (!endpoint.available) await pause(Math.min(endpoint.restMs, 2_000), signal);
      if (signal?.aborted) throw new TransportError('reset', 'stopped');
      try {
        return { results: await endpoint.send(calls, signal, read), endpoint };
      } catch (error) {
        avoid.add(endpoint);
        const untried = this.#getCandidates(options).filter((candidate) => !avoid.has(candidate));
        if (signal?.aborted || attempt >= retries || !this.#mayRetry(error, calls, untried.length > 0)) throw error;
        if (untried.length === 0) avoid.clear();
        await pause(Math.min(10 * 2 ** attempt, 1_000) * (0.5 + Math.random() / 2), signal);
      }
    }
  }

  /** Endpoints not known to be on another branch than most; all if there are none. */
  get onBranch(): readonly Endpoint[] {
    const some = this.endpoints.filter(({ isOnOtherBranch }) => !isOnOtherBranch);
    return some.length > 0 ? some : this.endpoints;
  }

  /** Endpoints near the highest recent head; with three or more heads, near the second highest. */
  get nearNewest(): readonly Endpoint[] {
    const heads = listHeads(this.onBranch.filter(isHeard));
    // one far higher head, perhaps of another chain, must not attract all requests
    const newest = heads[heads.length < 3 ? 0 : 1];
    return newest === undefined ? this.onBranch : this.onBranch.filter(({ head }) => head >= newest - maxLag);
  }

  /**
   * Highest recent head, else the highest ever reported, else -1. With three or more, ignores one far above the others.
   */
  get newestHead(): number {
    const heard = this.endpoints.filter(isHeard);
    const [highest = -1, second = highest, ...others] = listHeads(heard.length > 0 ? heard : this.endpoints);
    return others.length > 0 && highest - second > maxLead ? second : highest;
  }

  async close(): Promise<void> {
    await Promise.all(this.endpoints.map((endpoint) => endpoint.close()));
  }

  #mayRetry(error: unknown, calls: readonly Call[], hasOthers: boolean): boolean {
    if (error instanceof UnsupportedMethodError) {
      return this.onBranch.some((endpoint) => calls.every((call) => endpoint.supports(call.method)));
    }
    // -32603: internal error; -32000: header not found
    if (error instanceof NodeError) {
      if (error.code === -32603 || error.code === -32000) return true;
      return hasOthers && calls.every(({ method }) => ofBlocks.test(method));
    }
    return error instanceof TransportError;
  }

  #getCandidates({ endpoint, isNewest }: RequestOptions): readonly Endpoint[] {
    if (endpoint) return [endpoint];
    return isNewest ? this.nearNewest : this.onBranch;
  }

  #pick(calls: readonly Call[], options: RequestOptions, avoid: ReadonlySet<Endpoint>): Endpoint {
    const { minHead = -1 } = options;
    const penalty = (endpoint: Endpoint) =>
      (calls.every((call) => endpoint.supports(call.method)) ? 0 : 8) +
      (endpoint.head >= minHead ? 0 : 4) +
      (avoid.has(endpoint) ? 2 : 0) +
      (endpoint.available ? 0 : 1);
    return this.#getCandidates(options).reduce((best, endpoint) => {
      const difference = penalty(endpoint) - penalty(best);
      return difference < 0 || (difference === 0 && endpoint.load < best.load) ? endpoint : best;
    });
  }
}

const isHeard = ({ heardAt }: Endpoint): boolean => performance.now() - heardAt < maxHeadAgeMs;

const listHeads = (endpoints: readonly Endpoint[]): number[] =>
  endpoints
    .map(({ head }) => head)
    .filter((head) => head >= 0)
    .sort((a, b) => b - a);
