/** The writer and the read pool: who is asked, and how far behind each one is. @source specification 4.13 */
import { known } from '#runtime/known.ts';
import { pause } from '#runtime/shutdown.ts';
import { Upstream, type UpstreamHealth, type UpstreamState } from './upstream.ts';

export interface UpstreamsOptions {
  /** The node that takes transactions. */
  readonly writerUrl: string;
  /** Nodes that answer reads; the writer may be among them. */
  readonly readUrls: readonly string[];
}

/** Blocks behind the writer up to which a node of the pool is well, and up to which it answers at all. */
export const okLagBlocks = 3;
export const degradedLagBlocks = 20;

const ranks = { ok: 0, degraded: 1, out: 2 };
const probeEveryMs = 1_000;
const probeTimeoutMs = 3_000;

export class Upstreams {
  readonly writer: Upstream;
  readonly readers: readonly Upstream[];
  #turn = 0;

  constructor(options: UpstreamsOptions) {
    this.writer = new Upstream(options.writerUrl);
    this.readers = options.readUrls.map((url) => (url === options.writerUrl ? this.writer : new Upstream(url)));
  }

  /** Highest block that any node told. */
  get head(): number | undefined {
    const heads = this.#all.flatMap(({ head }) => head ?? []);
    return heads.length === 0 ? undefined : Math.max(...heads);
  }

  stateOf(upstream: Upstream): UpstreamState {
    if (upstream.head === undefined) return 'out';
    const lag = known(this.writer.head ?? this.head, 'a head') - upstream.head;
    return lag <= okLagBlocks ? 'ok' : lag <= degradedLagBlocks ? 'degraded' : 'out';
  }

  healthOf(upstream: Upstream): UpstreamHealth {
    const highest = this.writer.head ?? this.head;
    return {
      name: upstream.name,
      state: this.stateOf(upstream),
      head: upstream.head ?? null,
      lagBlocks: upstream.head === undefined || highest === undefined ? null : Math.max(0, highest - upstream.head),
      latencyMs: upstream.latencyMs ?? null,
      lastFault: upstream.lastFault ?? null,
    };
  }

  /** Readers in the order in which they are to be tried: well ones in turn, then those that lag, then the rest. */
  inTurn(): Upstream[] {
    const { readers } = this;
    const turn = this.#turn++ % readers.length;
    const turned = [...readers.slice(turn), ...readers.slice(0, turn)];
    return turned.sort((a, b) => this.#rankOf(a) - this.#rankOf(b));
  }

  /** Readers, always the same one first while it is well: one after the other, answers of a client don't go back in time. */
  inOrder(): Upstream[] {
    return [...this.readers].sort((a, b) => this.#rankOf(a) - this.#rankOf(b));
  }

  /** Each once: the writer may be among the readers. */
  get #all(): Upstream[] {
    return [...new Set([this.writer, ...this.readers])];
  }

  #rankOf(upstream: Upstream): number {
    return ranks[this.stateOf(upstream)] + (Date.now() < upstream.avoidUntil ? 3 : 0);
  }

  /** Asks every node for its head, again and again, until the signal fires. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.probe();
      await pause(probeEveryMs, signal);
    }
  }

  async probe(): Promise<void> {
    await Promise.all(this.#all.map((upstream) => probe(upstream)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((upstream) => upstream.close()));
  }
}

async function probe(upstream: Upstream): Promise<void> {
  const startedAt = performance.now();
  try {
    const head = Number(await upstream.call('eth_blockNumber', [], probeTimeoutMs));
    if (!Number.isSafeInteger(head)) throw new Error('eth_blockNumber gave no number');
    upstream.head = head;
    upstream.latencyMs = Math.round(performance.now() - startedAt);
  } catch (error) {
    upstream.head = undefined;
    upstream.lastFault = (error as Error).message;
  }
}
