/**
 * Nodes for forwarded requests: one writer for transactions, and a pool for reads.
 * @source docs/mechanisms.md#nodes-behind-proxy-and-edge
 */
import { askEach } from '#runtime/ask-each.ts';
import { known } from '#runtime/known.ts';
import { pause } from '#runtime/shutdown.ts';
import { CallerQueues } from './caller-queues.ts';
import { ReplyMemory } from './reply-memory.ts';
import { Upstream, type UpstreamHealth, type UpstreamState } from './upstream.ts';

export interface UpstreamsOptions {
  readonly writerUrl: string;
  readonly readUrls: readonly string[];
  /** Chain that the nodes must serve; unset: any. */
  readonly chainId?: number;
}

/** Maximum lag behind the chain in the states `ok` and `degraded`, blocks. */
export const okLagBlocks = 3;
export const degradedLagBlocks = 20;

/** @param lag blocks behind the head of the chain; null: the node does not answer */
export function stateOfLag(lag: number | null): UpstreamState {
  if (lag === null || lag > degradedLagBlocks) return 'out';
  return lag <= okLagBlocks ? 'ok' : 'degraded';
}

const ranks = { ok: 0, degraded: 1, out: 2 };
/** Requests of a caller that the writer works on at once: it has 16 connections for transactions of all callers. */
const maxWritesOfCaller = 4;
const probeEveryMs = 1_000;
const probeTimeoutMs = 3_000;
const probeGraceMs = 500;
/** Interval between checks that a node still serves the chain, ms: a load balancer can move to another one. */
const checkChainEveryMs = 60_000;

export class Upstreams {
  readonly writer: Upstream;
  readonly readers: readonly Upstream[];
  /** Separate, so that transactions of a caller do not wait for its reads. */
  readonly reads = new CallerQueues();
  readonly writes = new CallerQueues(maxWritesOfCaller);
  readonly replies = new ReplyMemory();
  /** Chain that the nodes must serve; undefined: any. */
  readonly chainId: number | undefined;
  readonly #probing = new Map<Upstream, Promise<number | undefined>>();
  readonly #late = new WeakSet<Upstream>();
  #turn = 0;

  /** Opens the nodes, and checks them once, so that no request is forwarded to a node of another chain. */
  static async open(options: UpstreamsOptions): Promise<Upstreams> {
    const upstreams = new Upstreams(options);
    await Promise.all(upstreams.#all.map((upstream) => upstreams.#probeOnce(upstream)));
    return upstreams;
  }

  constructor(options: UpstreamsOptions) {
    this.chainId = options.chainId;
    this.writer = new Upstream(options.writerUrl);
    this.readers = options.readUrls.map((url) => (url === options.writerUrl ? this.writer : new Upstream(url)));
  }

  /** Returns when a node last reported a head of at least `minHead`, performance.now(); -Infinity: none has. */
  heardAt(minHead: number): number {
    const near = this.#all.filter(({ heardHead }) => heardHead >= minHead);
    return Math.max(...near.map(({ heardAt }) => heardAt));
  }

  get head(): number | undefined {
    const heads = this.#all.flatMap(({ head }) => head ?? []);
    return heads.length === 0 ? undefined : Math.max(...heads);
  }

  /**
   * Returns the head that others are compared with: that of the writer, or a higher one that two nodes have. With three
   * nodes or more, one reader alone can't make the others lag.
   */
  get commonHead(): number | undefined {
    const heads = this.#all.flatMap(({ head }) => head ?? []).sort((a, b) => b - a);
    const shared = this.#all.length < 3 || heads.length < 2 ? heads[0] : heads[1];
    return shared === undefined ? undefined : Math.max(shared, this.writer.head ?? shared);
  }

  /** A node that answers but stopped to import lags too, also the writer. */
  getState(upstream: Upstream): UpstreamState {
    if (upstream.head === undefined) return 'out';
    return stateOfLag(known(this.commonHead, 'the head') - upstream.head);
  }

  getHealth(upstream: Upstream): UpstreamHealth {
    const highest = this.commonHead;
    return {
      name: upstream.name,
      state: this.getState(upstream),
      head: upstream.head ?? null,
      lagBlocks: upstream.head === undefined || highest === undefined ? null : Math.max(0, highest - upstream.head),
      latencyMs: upstream.latencyMs ?? null,
      lastFault: upstream.lastFault ?? null,
    };
  }

  /**
   * Returns the nodes for reads in the order to try them: healthy ones first, then lagging ones, then the others. Each call
   * begins with another node of the same state (round robin).
   */
  inTurn(): Upstream[] {
    const { readers } = this;
    const turn = this.#turn++ % readers.length;
    const turned = [...readers.slice(turn), ...readers.slice(0, turn)];
    return turned.sort((a, b) => this.#getRank(a) - this.#getRank(b));
  }

  /**
   * Returns the nodes for reads in fixed order, healthy ones first. The first healthy node gets all reads, so that no
   * reply is older than the one before.
   */
  inOrder(): Upstream[] {
    return [...this.readers].sort((a, b) => this.#getRank(a) - this.#getRank(b));
  }

  get #all(): Upstream[] {
    return [...new Set([this.writer, ...this.readers])];
  }

  /** A node to avoid comes after others in the same state: a caller can send requests that no node answers well. */
  #getRank(upstream: Upstream): number {
    return 2 * ranks[this.getState(upstream)] + (Date.now() < upstream.avoidUntil ? 1 : 0);
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.probe();
      await pause(probeEveryMs, signal);
    }
  }

  /** Asks all nodes for their newest block. A node that hangs delays the others only for `probeGraceMs`. */
  async probe(): Promise<void> {
    await askEach(this.#all, (upstream) => this.#probeOnce(upstream), { late: this.#late, graceMs: probeGraceMs });
  }

  /** Requests share a running question to a node. @returns undefined if the node does not answer */
  #probeOnce(upstream: Upstream): Promise<number | undefined> {
    const running = this.#probing.get(upstream);
    if (running) return running;
    const started = probe(upstream, this.chainId)
      .then(() => upstream.head)
      .finally(() => this.#probing.delete(upstream));
    this.#probing.set(upstream, started);
    return started;
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((upstream) => upstream.close()));
  }
}

async function probe(upstream: Upstream, chainId: number | undefined): Promise<void> {
  const startedAt = performance.now();
  try {
    if (chainId !== undefined && startedAt >= upstream.chainCheckAt) await checkChain(upstream, chainId);
    const head = Number(await upstream.call('eth_blockNumber', [], probeTimeoutMs, 'probes'));
    if (!Number.isSafeInteger(head)) throw new Error('eth_blockNumber did not return a number');
    upstream.head = head;
    upstream.heardHead = head;
    upstream.heardAt = performance.now();
    upstream.latencyMs = Math.round(performance.now() - startedAt);
  } catch (error) {
    upstream.head = undefined;
    upstream.chainCheckAt = 0; // the node may be replaced by another one
    upstream.lastFault = (error as Error).message;
  }
}

/** @throws Error if the node serves another chain */
async function checkChain(upstream: Upstream, chainId: number): Promise<void> {
  const served = Number(await upstream.call('eth_chainId', [], probeTimeoutMs, 'probes'));
  upstream.isForeign = served !== chainId;
  if (upstream.isForeign) throw new Error(`the node serves chain ${served}, not ${chainId}`);
  upstream.chainCheckAt = performance.now() + checkChainEveryMs;
}
