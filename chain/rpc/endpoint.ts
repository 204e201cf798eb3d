import { known } from '#runtime/known.ts';
import { NodeError, TransportError, UnsupportedMethodError } from '../errors.ts';
import { AdaptiveLimit } from './adaptive-limit.ts';
import { type ReadReply, type ReplyError, type ReplyFailure, readReply, toFailureError } from './read-reply.ts';
import { HttpTransport, type Transport } from './transport-http.ts';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type RpcOutcome = 'ok' | 'node_error' | 'unsupported' | TransportError['reason'];

export interface RpcObserver {
  /** @param host host of the node's URL, without credentials and path */
  recordRequest(endpoint: number, host: string, seconds: number, outcome: RpcOutcome): void;
  recordInvalid(endpoint: number, host: string): void;
}

interface EndpointOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxInFlight: number;
  /** Index of the endpoint in the configuration (default 0). */
  readonly place?: number;
  readonly observer?: RpcObserver | undefined;
  /** Default: HTTP requests to the URL. */
  readonly transport?: Transport | undefined;
}

export interface EndpointHealth {
  readonly name: string;
  readonly head: number;
  readonly healthy: boolean;
  readonly inFlightLimit: number;
  readonly latencyMs: number;
  readonly failures: number;
  readonly lastFault: string | undefined;
}

const unsupportedMs = 300_000;
const unsupported = /not (?:found|supported|available|exist|implemented)|unknown method|does not exist/i;
/** RPC methods that also fail on a healthy node, because state is pruned or a contract fails. */
const aboutState =
  /^(eth_(call|estimateGas|createAccessList|getBalance|getCode|getTransactionCount|getStorageAt|getProof)$|debug_|trace_)/;
/** RPC methods that execute a block again. A node without old states may time out, but still serve blocks. */
const aboutTraces = /^(debug_|trace_)/;
const throttledCodes = new Set([-32005, -32097, 429]);

let nextId = 1;

export class Endpoint {
  readonly name: string;
  /** Newest block number; -1 if unknown. */
  head = -1;
  /** When the node last reported its head, performance.now(). */
  heardAt = Number.NEGATIVE_INFINITY;
  readonly #limit: AdaptiveLimit;
  readonly #limitOfTraces: AdaptiveLimit;
  readonly #transport: Transport;
  /** Unsupported methods, and when to try them again, Unix ms. A gateway may have asked an outdated node. */
  readonly #unsupported = new Map<string, number>();
  #latencyMs = 0;
  #failures = 0;
  #failuresInARow = 0;
  #invalidInARow = 0;
  #lastFault: string | undefined;
  #restUntil = 0;
  #differsAt: number | undefined;
  #refusal: string | undefined;
  readonly options: EndpointOptions;

  constructor(options: EndpointOptions) {
    this.options = options;

    this.name = new URL(options.url).host;
    const { url, timeoutMs, maxInFlight } = options;
    const maxTraces = Math.ceil(maxInFlight / 4);
    this.#limit = new AdaptiveLimit(maxInFlight);
    this.#limitOfTraces = new AdaptiveLimit(maxTraces);
    this.#transport = options.transport ?? new HttpTransport(url, timeoutMs, maxInFlight + maxTraces);
  }

  setHead(head: number): void {
    this.head = head;
    this.heardAt = performance.now();
  }

  get available(): boolean {
    return Date.now() >= this.#restUntil;
  }

  get restMs(): number {
    return Math.max(0, this.#restUntil - Date.now());
  }

  /** True if the endpoint is refused, or if most endpoints have another final block (see `reportBranch`). */
  get isOnOtherBranch(): boolean {
    return this.#differsAt !== undefined || this.#refusal !== undefined;
  }

  /** Makes requests fail with this reason, without sending them. @param reason undefined: send requests again */
  refuse(reason: string | undefined): void {
    this.#refusal = reason;
  }

  get load(): number {
    return this.#limit.load;
  }

  get health(): EndpointHealth {
    return {
      name: this.name,
      head: this.head,
      healthy: this.available && !this.isOnOtherBranch && this.#failuresInARow < 3 && this.#invalidInARow < 3,
      inFlightLimit: this.#limit.limit,
      latencyMs: Math.round(this.#latencyMs),
      failures: this.#failures,
      lastFault: this.#lastFault,
    };
  }

  supports(method: string): boolean {
    return Date.now() >= (this.#unsupported.get(method) ?? 0);
  }

  /**
   * Sends calls as one JSON-RPC batch. Returns the results in call order.
   * @throws TransportError; NodeError or UnsupportedMethodError of the first call that failed
   */
  send(calls: readonly Call[], signal?: AbortSignal): Promise<unknown[]>;
  /** @param read parses the reply, for example on another thread */
  send<T>(calls: readonly Call[], signal: AbortSignal | undefined, read: ReadReply<T>): Promise<T>;
  async send(calls: readonly Call[], signal?: AbortSignal, read: ReadReply<unknown> = readReply): Promise<unknown> {
    if (this.#refusal !== undefined) throw new TransportError('refused', this.#refusal);
    return this.#send(calls, signal, read);
  }

  /** Like `send`, even while the endpoint is refused. */
  async sendAnyway(calls: readonly Call[], signal: AbortSignal): Promise<unknown[]> {
    return (await this.#send(calls, signal, readReply)) as unknown[];
  }

  async #send(calls: readonly Call[], signal: AbortSignal | undefined, read: ReadReply<unknown>): Promise<unknown> {
    const requests = calls.map(({ method, params }) => ({ jsonrpc: '2.0', id: nextId++, method, params }));
    const body = JSON.stringify(calls.length === 1 ? requests[0] : requests);
    const startedAt = performance.now();
    const isTrace = calls.some(({ method }) => aboutTraces.test(method));
    const limit = isTrace ? this.#limitOfTraces : this.#limit;
    const fail = (error: unknown, seconds: number) => {
      if (!signal?.aborted) {
        this.#observe(seconds, getOutcome(error));
        this.#recordError(error, limit);
      }
      return error;
    };
    const secondsSoFar = () => (performance.now() - startedAt) / 1000;
    const reply = await limit
      .run(() => this.#transport.post(body, signal), signal)
      .catch((error: unknown) => {
        throw fail(error, secondsSoFar());
      });
    const seconds = secondsSoFar(); // excludes the time to parse the reply
    const ids = requests.map(({ id }) => id);
    const reading = await read(reply, ids);
    if ('failure' in reading) throw fail(this.#asError(calls, reading.failure), seconds);
    this.#latencyMs = this.#latencyMs * 0.9 + seconds * 100;
    this.#failuresInARow = 0;
    this.#observe(seconds, 'ok');
    if (this.#unsupported.size > 0) for (const { method } of calls) this.#unsupported.delete(method);
    return reading.results;
  }

  /**
   * Pauses an endpoint after invalid data: longer each time, at most 30 s. Has its own counter, because each reply
   * resets the error counter.
   */
  reportInvalid(reason: string): void {
    this.#countFailure(reason);
    this.options.observer?.recordInvalid(this.options.place ?? 0, this.name);
    if (!this.available) return;
    this.#invalidInARow++;
    this.#restUntil = Date.now() + Math.min(100 * 2 ** Math.min(this.#invalidInARow, 9), 30_000);
  }

  reportValid(): void {
    this.#invalidInARow = 0;
  }

  /**
   * Records whether this endpoint has the same final block as most endpoints. If not, requests go to the others.
   * @param difference undefined: same block, which also proves the blocks below
   */
  reportBranch(block: number, difference?: string): void {
    if (difference === undefined) {
      if (block >= (this.#differsAt ?? Number.POSITIVE_INFINITY)) this.#differsAt = undefined;
      return;
    }
    if (!this.isOnOtherBranch) this.reportInvalid(difference);
    this.#differsAt = Math.max(block, this.#differsAt ?? 0);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #asError(calls: readonly Call[], failure: ReplyFailure): Error {
    const call = known(calls['request' in failure ? failure.request : 0], 'the call that failed');
    return failure.kind === 'error' ? this.#ofNode(call, failure.error) : toFailureError(failure, call.method);
  }

  #ofNode(call: Call, error: ReplyError): Error {
    const code = Number(error.code);
    const message = String(error.message);
    // the contract may have chosen the message, so it proves nothing about the node
    const isOfContract = call.method === 'eth_call' || call.method === 'eth_estimateGas';
    if (throttledCodes.has(code) || (!isOfContract && /rate limit|too many requests/i.test(message)))
      return new TransportError('throttled', `the node limits requests (error ${code})`);
    const saysUnsupported = code === -32000 && unsupported.test(message) && message.includes(call.method);
    if (code === -32601 || (saysUnsupported && !isOfContract)) {
      this.#unsupported.set(call.method, Date.now() + unsupportedMs);
      return new UnsupportedMethodError(code, message, call.method);
    }
    return new NodeError(code, message, call.method, error.data);
  }

  #recordError(error: unknown, limit: AdaptiveLimit): void {
    if (error instanceof UnsupportedMethodError) return;
    if (error instanceof NodeError) {
      // the message may contain the caller's input
      if (!aboutState.test(error.method)) this.#countFailure(error.toTransportError().message);
      return;
    }
    const isTransport = error instanceof TransportError;
    if (isTransport && (error.reason === 'throttled' || error.reason === 'timeout')) limit.halve();
    if (isTransport && error.reason === 'timeout' && limit === this.#limitOfTraces) return;
    this.#countFailure(error instanceof Error ? error.message : String(error));
    if (!isTransport) return;
    const pauseMs = error.retryAfterMs ?? Math.min(25 * 2 ** Math.min(this.#failuresInARow, 8), 5_000);
    this.#restUntil = Date.now() + pauseMs * (0.5 + Math.random() / 2);
  }

  #observe(seconds: number, outcome: RpcOutcome): void {
    const { observer, place = 0 } = this.options;
    observer?.recordRequest(place, this.name, seconds, outcome);
  }

  #countFailure(reason: string): void {
    this.#failures++;
    this.#failuresInARow++;
    this.#lastFault = reason.slice(0, 200);
  }
}

function getOutcome(error: unknown): RpcOutcome {
  if (error instanceof UnsupportedMethodError) return 'unsupported';
  return error instanceof TransportError ? error.reason : 'node_error';
}
