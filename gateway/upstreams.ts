/**
 * Nodes for forwarded requests: one writer for transactions, and a pool for reads.
 * @source docs/mechanisms.md#nodes-behind-proxy-and-edge
 */
import { askEach } from '#runtime/ask-each.ts';
import { known } from '#runtime/known.ts';
import { getFirst } from '#runtime/lists.ts';
import { pause } from '#runtime/shutdown.ts';
import { CallerQueues } from './caller-queues.ts';
import { type ExpectedChain, findChainDifference } from './foreign-chain.ts';
import { ReplyMemory } from './reply-memory.ts';
import { NodesBehind, Upstream, type UpstreamHealth, type UpstreamState } from './upstream.ts';

export interface UpstreamsOptions extends ExpectedChain {
  readonly writerUrl: string;
  readonly readUrls: readonly string[];
}

/** Maximum lag behind the chain in the states `ok` and `degraded`, blocks. */
export const okLagBlocks = 3;
export const degradedLagBlocks = 20;

/** @param lag blocks behind the chain head; null: the node does not answer */
export function stateOfLag(lag: number | null): UpstreamState {
  if (lag === null || lag > degradedLagBlocks) return 'out';
  return lag <= okLagBlocks ? 'ok' : 'degraded';
}

const ranks = { ok: 0, degraded: 1, out: 2 };
/** Maximum concurrent writes per caller. The writer has 16 connections for transactions of all callers. */
const maxWritesOfCaller = 4;
const probeEveryMs = 1_000;
const probeTimeoutMs = 3_000;
const probeGraceMs = 500;
/** Interval between checks of a node's chain, ms. A load balancer can switch to a node of another chain. */
const checkChainEveryMs = 60_000;
/** How long after its last answered probe a node may still be tried, ms: it may be slow, not down. */
const maxSilenceMs = 30_000;

export class Upstreams {
  readonly writer: Upstream;
  readonly readers: readonly Upstream[];
  /** Separate queues, so that a caller's transactions do not wait for its reads. */
  readonly reads = new CallerQueues();
  readonly writes = new CallerQueues(maxWritesOfCaller);
  readonly replies = new ReplyMemory();
  readonly expectedChain: ExpectedChain;
  readonly #probing = new Map<Upstream, Promise<number | undefined>>();
  readonly #late = new WeakSet<Upstream>();
  #turn = 0;

  /** Probes the nodes once, so that no request is forwarded to a node of another chain. */
  static async open(options: UpstreamsOptions): Promise<Upstreams> {
    const upstreams = new Upstreams(options);
    await Promise.all(upstreams.#all.map((upstream) => upstreams.#probeOnce(upstream)));
    return upstreams;
  }

  constructor(options: UpstreamsOptions) {
    const { chainId, genesisHash } = options;
    this.expectedChain = { chainId, genesisHash };
    this.writer = new Upstream(options.writerUrl);
    this.readers = options.readUrls.map((url) => (url === options.writerUrl ? this.writer : new Upstream(url)));
  }

  /** Returns when a node last reported a head of at least `minHead`, performance.now(); -Infinity if none has. */
  heardAt(minHead: number): number {
    const near = this.#all.filter(({ heardHead }) => heardHead >= minHead);
    return Math.max(...near.map(({ heardAt }) => heardAt));
  }

  get head(): number | undefined {
    const heads = this.#all.flatMap(({ head }) => head ?? []);
    return heads.length === 0 ? undefined : Math.max(...heads);
  }

  /**
   * Returns the head to compare nodes with: the writer's, or a higher one that two nodes have. With three or more
   * nodes, a single reader can't make the others lag. While the writer is silent, its last head counts, otherwise
   * readers far behind it would seem healthy.
   */
  get commonHead(): number | undefined {
    const heads = this.#all.flatMap(({ head }) => head ?? []).sort((a, b) => b - a);
    const shared = this.#all.length < 3 || heads.length < 2 ? heads[0] : heads[1];
    const head = Math.max(shared ?? -1, this.writer.heardHead);
    return head < 0 ? undefined : head;
  }

  /** A node that answers but has stopped importing blocks lags too. This includes the writer. */
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
   * Returns the read nodes: healthy, then lagging, then the others. Each call begins with another node of the same
   * state (round robin).
   */
  inTurn(): Upstream[] {
    const { readers } = this;
    const turn = this.#turn++ % readers.length;
    const turned = [...readers.slice(turn), ...readers.slice(0, turn)];
    return turned.sort((a, b) => this.#getRank(a) - this.#getRank(b));
  }

  /**
   * Returns the read nodes in fixed order, healthy ones first. One node gets all reads while it is healthy, so that
   * replies never go back to older blocks.
   */
  inOrder(): Upstream[] {
    return [...this.readers].sort((a, b) => this.#getRank(a) - this.#getRank(b));
  }

  /**
   * Chooses nodes for a read, in the given order. Nodes far behind would return old blocks. If only the writer is
   * healthy, it comes first.
   * @throws NodesBehind if there is none
   */
  chooseForRead(order: readonly Upstream[]): Upstream[] {
    const isHealthy = (upstream: Upstream) => this.getState(upstream) !== 'out';
    const usable = order.filter((upstream) => isHealthy(upstream) || this.#mayBeSlow(upstream));
    const needsWriter = !usable.some(isHealthy) && isHealthy(this.writer);
    const chosen = needsWriter ? [this.writer, ...usable] : usable;
    if (chosen.length === 0) throw new NodesBehind();
    return chosen;
  }

  /** Returns the node that holds all client filters. @throws NodesBehind if it may not answer reads */
  chooseForFilter(): Upstream {
    const first = getFirst(this.readers);
    if (this.getState(first) === 'out' && !this.#mayBeSlow(first)) throw new NodesBehind();
    return first;
  }

  /**
   * Returns whether a node without an answer to its last probe may work: it was not probed yet, or was healthy shortly
   * before.
   */
  #mayBeSlow({ head, isProbed, heardHead, heardAt }: Upstream): boolean {
    if (!isProbed) return true;
    if (head !== undefined || performance.now() - heardAt > maxSilenceMs) return false;
    return stateOfLag((this.commonHead ?? heardHead) - heardHead) !== 'out';
  }

  get #all(): Upstream[] {
    return [...new Set([this.writer, ...this.readers])];
  }

  /**
   * A node to avoid comes after others in the same state, but not later: any caller can send requests that time out.
   */
  #getRank(upstream: Upstream): number {
    return 2 * ranks[this.getState(upstream)] + (Date.now() < upstream.avoidUntil ? 1 : 0);
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.probe();
      await pause(probeEveryMs, signal);
    }
  }

  /** Requests the newest block of all nodes. A hung node delays the others by at most `probeGraceMs`. */
  async probe(): Promise<void> {
    await askEach(this.#all, (upstream) => this.#probeOnce(upstream), { late: this.#late, graceMs: probeGraceMs });
  }

  /** Concurrent calls share one probe. @returns undefined if the node does not answer */
  #probeOnce(upstream: Upstream): Promise<number | undefined> {
    const running = this.#probing.get(upstream);
    if (running) return running;
    const started = probe(upstream, this.expectedChain)
      .then(() => upstream.head)
      .finally(() => this.#probing.delete(upstream));
    this.#probing.set(upstream, started);
    return started;
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((upstream) => upstream.close()));
  }
}

async function probe(upstream: Upstream, expected: ExpectedChain): Promise<void> {
  const startedAt = performance.now();
  try {
    if (startedAt >= upstream.chainCheckAt) await checkChain(upstream, expected);
    const head = Number(await upstream.call('eth_blockNumber', [], probeTimeoutMs, 'probes'));
    if (!Number.isSafeInteger(head)) throw new Error('eth_blockNumber did not return a number');
    // another node may answer at this URL: its head must not make the others lag
    if (upstream.heardHead >= 0 && Math.abs(head - upstream.heardHead) > degradedLagBlocks)
      await checkChain(upstream, expected);
    upstream.head = head;
    upstream.heardHead = head;
    upstream.heardAt = performance.now();
    upstream.latencyMs = Math.round(performance.now() - startedAt);
  } catch (error) {
    upstream.head = undefined;
    upstream.chainCheckAt = 0; // a node of another chain may replace it
    upstream.lastFault = (error as Error).message;
  } finally {
    upstream.isProbed = true;
  }
}

/** @throws Error if the node serves another chain */
async function checkChain(upstream: Upstream, expected: ExpectedChain): Promise<void> {
  const read = (method: string, params: readonly unknown[]) => upstream.call(method, params, probeTimeoutMs, 'probes');
  const difference = await findChainDifference(expected, read);
  upstream.isForeign = difference !== undefined;
  if (difference !== undefined) {
    upstream.heardHead = -1; // it may be a head of the other chain
    upstream.heardAt = Number.NEGATIVE_INFINITY;
    throw new Error(difference);
  }
  upstream.chainCheckAt = performance.now() + checkChainEveryMs;
}
