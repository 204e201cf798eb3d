import { Counter, Gauge, Histogram } from 'prom-client';
import { type Interval, sumOfBlocks } from '#chain/intervals.ts';
import { RpcMetrics } from '#chain/rpc/rpc-metrics.ts';
import { ProcessMetrics } from '#runtime/metrics/registry.ts';
import { type ChainState, isBackfilled } from '#sql/snapshot.ts';
import { StoreMetrics } from '#sql/store-metrics.ts';
import type { PipelineReport } from './report.ts';

export interface WatchedParts {
  readonly store: { readonly state: ChainState };
  readonly journal: { readonly doneIntervals: readonly Interval[] };
  readonly quarantined: { readonly numbers: readonly number[] };
  readonly follower: {
    readonly window: { readonly head: { readonly timestamp: number } };
    readonly holdReason: string | undefined;
  };
  /** Highest block number that any endpoint reported. */
  readonly chainHead: () => number;
  readonly report: PipelineReport;
}

type Now = readonly [name: string, help: string, value: (parts: WatchedParts) => number];

const gauges: readonly Now[] = [
  ['head_block', 'Number of the newest stored block that readers can see', ({ store }) => store.state.head],
  ['finalized_block', 'Number of the newest finalized block', ({ store }) => store.state.finalized],
  ['chain_head_block', 'Number of the newest block that any node reported', ({ chainHead }) => chainHead()],
  [
    'lag_blocks',
    'Number of blocks by which the newest stored block is behind the newest block of the nodes',
    (parts) => getLag(parts),
  ],
  [
    'head_timestamp_seconds',
    'Header timestamp of the newest stored block, Unix seconds',
    ({ follower }) => follower.window.head.timestamp,
  ],
  [
    'complete',
    '1 if the history has no gap, else 0',
    ({ store, quarantined }) => Number(isBackfilled(store.state) && !quarantined.numbers.length),
  ],
  [
    'parked_blocks',
    'Number of quarantined blocks: no node returned valid data for these blocks',
    ({ quarantined }) => quarantined.numbers.length,
  ],
  [
    'held',
    '1 if the pipeline stores no blocks because a node contradicts the stored chain, else 0',
    ({ follower }) => Number(!!follower.holdReason),
  ],
  [
    'doubted',
    '1 if a node contradicts finalized blocks, which then do not count as final, else 0',
    ({ store }) => Number(store.state.doubtedFrom !== undefined),
  ],
  [
    'bad_block',
    '1 if no endpoint returns valid data for the next block, else 0',
    ({ report }) => Number(!!report.state.badBlock),
  ],
  [
    'backfill_total_blocks',
    'Number of history blocks to index: all below the block from which the pipeline follows new blocks',
    ({ store }) => countHistoryBlocks(store),
  ],
  [
    'backfill_done_blocks',
    'Number of history blocks that are already stored',
    ({ store, journal }) => countDoneBlocks(store, journal),
  ],
  [
    'eras_closed_through_block',
    'Block below which figures are precomputed per rollup window (a range of 2,000 blocks)',
    ({ store }) => store.state.rollupThrough,
  ],
  [
    'state_epoch',
    'Reorg generation: a counter that grows each time visible data is removed',
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
  readonly #failedChecks: Gauge;
  #parts: WatchedParts | undefined;

  constructor() {
    super();
    const registers = [this.registry];
    for (const each of gauges) this.#gauge(...each);
    const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
      new Gauge<L>({ name: `cordscan_${name}`, help, labelNames, registers });
    const counter = (name: string, help: string) => new Counter({ name: `cordscan_${name}`, help, registers });
    this.#stepped = gauge(
      'pipeline_followed_timestamp_seconds',
      'Time of the last comparison of the head with the nodes, Unix seconds',
    );
    this.#reorgs = new Histogram({
      name: 'cordscan_reorg_depth_blocks',
      help: 'Number of blocks that a reorg replaced',
      registers,
      buckets: [1, 2, 3, 5, 10, 20, 32, 64],
    });
    this.#jobs = new Histogram({
      name: 'cordscan_job_duration_seconds',
      help: 'Duration of one run of a scheduled job, by job and outcome, seconds',
      registers,
      labelNames: ['job', 'outcome'] as const,
      buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600],
    });
    this.#jobDone = gauge('job_success_timestamp_seconds', 'Time of the last success of a job, Unix seconds', 'job');
    this.#failedChecks = gauge('self_audit_failed_checks', 'Number of wrong checks of the self-audit, without tokens');
    // no values until the first comparison and audit: 0 would be wrong
    for (const each of [this.#stepped, this.#failedChecks]) each.remove();
    this.#sourceDone = gauge(
      'source_success_timestamp_seconds',
      'Time when an external source was last read successfully, Unix seconds',
      'source',
    );
    this.#sourceOk = gauge(
      'source_ok',
      '1 if the last read of the source succeeded and its content was valid, else 0',
      'source',
    );
    this.#audited = counter('audit_windows_total', 'Number of block ranges that the audit compared with a node');
    this.#differences = counter(
      'audit_differences_total',
      'Number of differences between stored blocks and a node that the audit found',
    );
  }

  watch(parts: WatchedParts): void {
    this.#parts = parts;
  }

  /** Removes the values of chain and jobs, because another pipeline follows the chain. */
  unwatch(): void {
    this.#parts = undefined;
    for (const each of [this.#jobDone, this.#sourceDone, this.#sourceOk]) each.reset();
    for (const each of [this.#stepped, this.#failedChecks]) each.remove();
  }

  recordFollowed(): void {
    this.#stepped.set(Date.now() / 1000);
  }

  observeReorg(removed: number): void {
    this.#reorgs.observe(removed);
  }

  recordSelfAudit(failed: number): void {
    this.#failedChecks.set(failed);
  }

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

  recordSource(source: string, isOk: boolean): void {
    this.#sourceOk.set({ source }, isOk ? 1 : 0);
    if (isOk) this.#sourceDone.set({ source }, Date.now() / 1000);
  }

  recordAudit(differences: number): void {
    this.#audited.inc();
    this.#differences.inc(differences);
  }

  /** Returns why the pipeline is not ready; undefined when it is. */
  lateness(maxLagBlocks: number): string | undefined {
    if (!this.#parts) return 'the pipeline does not follow the chain yet';
    const { holdReason } = this.#parts.follower;
    if (holdReason) return holdReason;
    const lag = getLag(this.#parts);
    const { badBlock } = this.#parts.report.state;
    if (badBlock) return `no endpoint returns valid data for block ${badBlock.block}: ${badBlock.fault}`;
    return lag > maxLagBlocks ? `lag is ${lag} blocks, the maximum is ${maxLagBlocks}` : undefined;
  }

  health(): { status: string; reason?: string } {
    const state = this.#parts?.report.state;
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

const getLag = ({ store, chainHead }: WatchedParts) => Math.max(0, chainHead() - store.state.head);

const countHistoryBlocks = ({ state }: WatchedParts['store']) => Math.max(0, state.followFrom - state.startBlock);

function countDoneBlocks(store: WatchedParts['store'], journal: WatchedParts['journal']): number {
  const { startBlock, followFrom } = store.state;
  return sumOfBlocks(journal.doneIntervals, { fromBlock: startBlock, toBlock: followFrom - 1 });
}
