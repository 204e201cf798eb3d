/** What the pipeline says of itself to Prometheus, and whether it is ready. Labels are bounded: tables, jobs, sources. */
import { Counter, Gauge, Histogram } from 'prom-client';
import { RpcMetrics } from '#chain/rpc/rpc-metrics.ts';
import { ProcessMetrics } from '#runtime/metrics/registry.ts';
import { type ChainState, isBackfilled } from '#sql/snapshot.ts';
import { StoreMetrics } from '#sql/store-metrics.ts';
import type { PipelineReport } from './report.ts';
import { type Interval, sumOfBlocks } from './store/intervals.ts';

/** What is looked at when somebody asks. */
export interface WatchedParts {
  readonly store: { readonly state: ChainState };
  readonly journal: { readonly doneIntervals: readonly Interval[] };
  readonly quarantined: { readonly numbers: readonly number[] };
  readonly follower: {
    readonly window: { readonly head: { readonly timestamp: number } };
    readonly holdReason: string | undefined;
  };
  /** Highest block that any endpoint told. */
  readonly chainHead: () => number;
  readonly report?: PipelineReport | undefined;
}

type Now = readonly [name: string, help: string, value: (parts: WatchedParts) => number];

/** Figures that are worked out at each scrape; they are missing until following has begun. */
const gauges: readonly Now[] = [
  ['head_block', 'Newest block that is stored and visible', ({ store }) => store.state.head],
  ['finalized_block', 'Newest block that is settled', ({ store }) => store.state.finalized],
  ['chain_head_block', 'Newest block that a node told', ({ chainHead }) => chainHead()],
  ['lag_blocks', 'Blocks that the head is behind the nodes', (parts) => lagOf(parts)],
  [
    'head_timestamp_seconds',
    'Time in the header of the newest block',
    ({ follower }) => follower.window.head.timestamp,
  ],
  [
    'complete',
    '1: history has no gap',
    ({ store, quarantined }) => Number(isBackfilled(store.state) && !quarantined.numbers.length),
  ],
  ['parked_blocks', 'Blocks that no node could serve soundly', ({ quarantined }) => quarantined.numbers.length],
  [
    'held',
    '1: nothing is written, since what the node says cannot be',
    ({ follower }) => Number(!!follower.holdReason),
  ],
  [
    'doubted',
    '1: a node contradicts finalized blocks, and nothing from the first of them on is final',
    ({ store }) => Number(store.state.doubtedFrom !== undefined),
  ],
  ['bad_block', '1: no endpoint serves the next block soundly', ({ report }) => Number(!!report?.state.badBlock)],
  ['backfill_total_blocks', 'Blocks of history, up to where following began', ({ store }) => historyOf(store)],
  ['backfill_done_blocks', 'Blocks of it that are stored', ({ store, journal }) => doneOf(store, journal)],
  [
    'eras_closed_through_block',
    'Block before which eras of rollups are closed',
    ({ store }) => store.state.rollupThrough,
  ],
  [
    'state_epoch',
    'Grows each time something that was visible is taken back',
    ({ store }) => store.state.reorgGeneration,
  ],
];

export class PipelineMetrics extends ProcessMetrics {
  readonly store = new StoreMetrics(this.registry);
  readonly rpc = new RpcMetrics(this.registry);
  readonly #stepped: Gauge;
  readonly #reorgs: Histogram;
  readonly #jobs: Histogram<'job' | 'outcome'>;
  readonly #jobDone: Gauge<'job'>;
  readonly #sourceDone: Gauge<'source'>;
  readonly #sourceOk: Gauge<'source'>;
  readonly #audited: Counter;
  readonly #differences: Counter;
  #parts: WatchedParts | undefined;

  constructor() {
    super();
    const registers = [this.registry];
    for (const each of gauges) this.#gauge(...each);
    const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
      new Gauge<L>({ name: `cordscan_${name}`, help, labelNames, registers });
    const counter = (name: string, help: string) => new Counter({ name: `cordscan_${name}`, help, registers });
    this.#stepped = gauge('pipeline_followed_timestamp_seconds', 'When the head was last compared with the nodes');
    this.#stepped.remove(); // a time that is not known is none, not 1970
    this.#reorgs = new Histogram({
      name: 'cordscan_reorg_depth_blocks',
      help: 'Blocks that a reorg replaced',
      registers,
      buckets: [1, 2, 3, 5, 10, 20, 32, 64],
    });
    this.#jobs = new Histogram({
      name: 'cordscan_job_duration_seconds',
      help: 'Time of a run of a job, by outcome',
      registers,
      labelNames: ['job', 'outcome'] as const,
      buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600],
    });
    this.#jobDone = gauge('job_success_timestamp_seconds', 'When a job last ended well', 'job');
    this.#sourceDone = gauge('source_success_timestamp_seconds', 'When a source was last read without fault', 'source');
    this.#sourceOk = gauge('source_ok', '1: the source could be read and was sound when looked at last', 'source');
    this.#audited = counter('audit_windows_total', 'Windows of stored blocks that were compared with a node');
    this.#differences = counter('audit_differences_total', 'Differences that were found by it');
  }

  /** Tells of these from now on. */
  watch(parts: WatchedParts): void {
    this.#parts = parts;
  }

  noteFollowed(): void {
    this.#stepped.set(Date.now() / 1000);
  }

  /** @param removed blocks that were replaced or went */
  noteReorg(removed: number): void {
    this.#reorgs.observe(removed);
  }

  /** Runs a job and notes how it went. @throws what it throws */
  async timed<T>(job: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const note = (outcome: string) => this.#jobs.observe({ job, outcome }, (performance.now() - startedAt) / 1000);
    try {
      const value = await work();
      note('ok');
      this.#jobDone.set({ job }, Date.now() / 1000);
      return value;
    } catch (error) {
      note('fault');
      throw error;
    }
  }

  noteSource(source: string, isOk: boolean): void {
    this.#sourceOk.set({ source }, isOk ? 1 : 0);
    if (isOk) this.#sourceDone.set({ source }, Date.now() / 1000);
  }

  noteAudit(differences: number): void {
    this.#audited.inc();
    this.#differences.inc(differences);
  }

  /** What keeps the pipeline from following closely; undefined: nothing. @param maxLagBlocks that is borne */
  lateness(maxLagBlocks: number): string | undefined {
    if (!this.#parts) return 'it has not begun to follow the chain';
    const { holdReason } = this.#parts.follower;
    if (holdReason) return holdReason;
    const lag = lagOf(this.#parts);
    const { badBlock } = this.#parts.report?.state ?? {};
    if (badBlock) return `no endpoint serves block ${badBlock.block} soundly: ${badBlock.fault}`;
    return lag > maxLagBlocks ? `${lag} blocks behind, ${maxLagBlocks} are borne` : undefined;
  }

  /** Body of /healthz: the process lives, and what it is doing. */
  health(): { status: string; reason?: string } {
    const state = this.#parts?.report?.state;
    if (!state) return { status: 'starting' };
    const status = state.phase === 'following' ? 'ok' : state.phase;
    return state.reason === null ? { status } : { status, reason: state.reason };
  }

  #gauge(name: string, help: string, value: Now[2]): void {
    const parts = () => this.#parts;
    new Gauge({
      name: `cordscan_pipeline_${name}`,
      help,
      registers: [this.registry],
      collect() {
        const now = parts();
        if (now) this.set(value(now));
        else this.remove();
      },
    });
  }
}

const lagOf = ({ store, chainHead }: WatchedParts) => Math.max(0, chainHead() - store.state.head);

const historyOf = ({ state }: WatchedParts['store']) => Math.max(0, state.followFrom - state.startBlock);

function doneOf(store: WatchedParts['store'], journal: WatchedParts['journal']): number {
  const { startBlock, followFrom } = store.state;
  return sumOfBlocks(journal.doneIntervals, { fromBlock: startBlock, toBlock: followFrom - 1 });
}
