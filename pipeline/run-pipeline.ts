import { setMaxListeners } from 'node:events';
import { InvalidChainData } from '#chain/errors.ts';
import { refreshHeads, watchHeads } from '#chain/rpc/watch-heads.ts';
import { pause } from '#runtime/shutdown.ts';
import { joinSignals } from '#runtime/signals.ts';
import { isBackfilled } from '#sql/snapshot.ts';
import { FetchAhead } from './backfill/fetch-ahead.ts';
import { type BackfillParts, runBackfill } from './backfill/run-backfill.ts';
import type { ReportDeps } from './deps.ts';
import { AnchorLog } from './follow/anchor-log.ts';
import { DeepReorgError } from './follow/doubt.ts';
import type { Follower } from './follow/follower.ts';
import { openFollower } from './follow/open-follower.ts';
import { WritePriority } from './follow/write-priority.ts';
import { assertIdentity } from './identity.ts';
import { audit } from './jobs/audit.ts';
import { runJobs } from './jobs/run-jobs.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { probeChain } from './probe-chain.ts';
import { fillRawCache, openRawCache, removeCached } from './raw-cache.ts';
import { watchSources } from './sources/refresh-sources.ts';
import { ChainStateStore } from './store/chain-state-store.ts';
import { Journal } from './store/journal.ts';
import { assertChecked, DatabaseRestart } from './store/lost-rows.ts';
import { QuarantinedBlocks } from './store/quarantined-blocks.ts';
import { rewindHeld } from './store/rewind.ts';
import { Rollups } from './store/rollups.ts';
import { traceHistory } from './traces/trace-history.ts';
import type { HeadClaim } from './workers/head-claim.ts';
import { allBlocks, RangeClaims } from './workers/range-claims.ts';
import { standBy } from './workers/stand-by.ts';
import { Worker } from './workers/worker.ts';

/** The backfill pauses when the head is more than this many blocks behind the nodes. */
const maxLagForBackfill = 2;
const defaultAuditEveryMs = 300_000;

export interface PipelineHooks {
  readonly onBackfilled?: () => void;
  readonly onFollowing?: (follower: Follower) => void;
  /** Called for a block without valid data. */
  readonly onQuarantined?: (block: number) => void;
  /** Ends after the backfill, for benchmarks and one-off loads. */
  readonly backfillOnly?: boolean;
}

/**
 * Runs the pipeline until the signal aborts. Of several pipelines on a database, one follows the chain, and the others
 * help to load old blocks. When it stops, another takes over.
 * @throws WrongChainError
 */
export async function runPipeline(deps: PipelineDeps, hooks: PipelineHooks = {}): Promise<void> {
  setMaxListeners(0, deps.signal); // every request adds a listener
  if ((deps.settings.traces ?? 'off') === 'off') deps.report.set({ traces: 'off' });
  await assertIdentity(deps);
  await probeChain(deps);
  if (deps.signal.aborted) return;
  const rawCache = deps.settings.rawCache && (await openRawCache(deps, deps.settings.rawCache));
  const worker = new Worker(deps, deps.settings.leaseMs);
  await worker.join();
  try {
    let isDone = false;
    while (!isDone && !deps.signal.aborted) {
      const head = await standBy(deps, worker);
      if (head) isDone = await leadWith(head, worker, { ...deps, rawCache }, hooks);
    }
  } finally {
    await worker.leave();
  }
}

async function leadWith(head: HeadClaim, worker: Worker, deps: PipelineDeps, hooks: PipelineHooks): Promise<boolean> {
  const signal = joinSignals(deps.signal, head.lost);
  const ended = new AbortController();
  deps.log.info(
    { event: 'head_taken', worker: worker.id, claim: head.claim.number },
    'this pipeline follows the chain',
  );
  worker.role = 'head';
  const watching = head.watch(worker.leaseMs / 5, joinSignals(signal, ended.signal));
  try {
    const own = { ...deps, signal, database: deps.database.fencedBy(head.fence, signal) };
    while ((await lead(own, worker, hooks)) === 'again');
  } catch (error) {
    if (!head.lost.aborted) throw error;
  } finally {
    worker.role = 'helper';
    deps.metrics.unwatch();
    deps.report.set({ phase: 'starting', reason: null });
    ended.abort();
    await watching;
  }
  if (head.lost.aborted) deps.log.warn({ event: 'head_lost', worker: worker.id, claim: head.claim.number });
  return !head.lost.aborted;
}

/** Returns `again` if the tasks must restart, after a reorg of finalized blocks or a database restart. */
async function lead(deps: PipelineDeps, worker: Worker, hooks: PipelineHooks): Promise<'done' | 'again'> {
  const ended = new AbortController();
  const signal = joinSignals(deps.signal, ended.signal);
  const claims = new RangeClaims(deps, worker, deps.settings.claimBlocks);
  const tasks: Promise<void>[] = [];
  const own = { ...deps, signal };
  const store = new ChainStateStore(own);
  const rollups = new Rollups(own, store);
  try {
    tasks.push(...(await startTasks(own, { claims, store, rollups }, hooks)));
    await Promise.all(tasks);
    return 'done';
  } catch (error) {
    ended.abort();
    await Promise.allSettled([...tasks, rollups.ended()]); // a late rollup must not publish an old state
    if (error instanceof DatabaseRestart && !deps.signal.aborted) {
      deps.log.warn({ event: 'database_restarted' }, error.message);
      deps.report.set({ phase: 'starting', reason: null });
      return 'again';
    }
    if (!(error instanceof DeepReorgError) || deps.signal.aborted) throw error;
    deps.log.error({ event: 'deep_reorg', forkBlock: error.forkBlock });
    deps.report.set({ phase: 'holding', reason: error.message });
    await claims.seize(allBlocks, deps.signal);
    deps.metrics.observeReorg(store.state.head - error.forkBlock);
    await rewindHeld(deps, error.forkBlock, true);
    await removeCached(deps, error.forkBlock + 1);
    await claims.release();
    return 'again';
  }
}

/** @throws DeepReorgError before any task starts */
async function startTasks(
  deps: PipelineDeps,
  { claims, store, rollups }: Pick<BackfillParts, 'claims' | 'store' | 'rollups'>,
  hooks: PipelineHooks,
): Promise<Promise<void>[]> {
  const journal = new Journal(deps);
  const quarantined = new QuarantinedBlocks(deps);
  await Promise.all([journal.load(), quarantined.load(), refreshHeads(deps.client, deps.signal)]);
  const source = new FetchAhead(deps);
  // own queue, because pausing the backfill must not stop finalization
  const follower = await openFollower({ deps, store, journal, source: new FetchAhead(deps), rollups });
  if (!follower) return [];
  hooks.onFollowing?.(follower);
  const chainHead = () => Math.max(store.state.chainHead, deps.client.newestHead);
  deps.metrics.watch({ store, journal, quarantined, follower, chainHead, report: deps.report });
  const { doubt } = follower;
  const { onQuarantined } = hooks;
  const parts = { deps, store, journal, quarantined, source, rollups, claims, doubt, onQuarantined };
  const history = keepHistory(parts, hooks);
  if (hooks.backfillOnly) return [history];
  const way = new WritePriority();
  const givingWay = { ...deps, database: deps.database.inTurn(() => way.give()) };
  const beside = [
    runJobs(givingWay, store),
    traceHistory(givingWay, store),
    watchSources(givingWay),
    rollups.ended(),
    fillRawCache(deps, store),
  ];
  return [history, follow({ deps, follower, source, store, way }), ...beside];
}

async function keepHistory(parts: BackfillParts, hooks: PipelineHooks): Promise<void> {
  const { deps, rollups } = parts;
  const { signal, settings, log, report } = deps;
  const auditEveryMs = settings.auditEveryMs ?? defaultAuditEveryMs;
  let auditedAt = Date.now();
  const noteAudit = (isUnchanged: boolean) => {
    report.noteRun('audit');
    return isUnchanged;
  };
  let checkedAt = Date.now();
  const isCheckDue = () => Date.now() - checkedAt >= auditEveryMs;
  const checkDatabase = async () => {
    if (!isCheckDue()) return;
    await assertChecked(deps);
    checkedAt = Date.now();
  };
  const auditNow = async () => {
    auditedAt = Date.now();
    const audited = checkDatabase().then(() => audit(parts));
    return audited.then(noteAudit, (error: unknown) => {
      if (error instanceof DeepReorgError || error instanceof DatabaseRestart) throw error;
      if (!signal.aborted) {
        log.warn({ event: 'audit_error', error: String(error) });
        report.noteRun('audit', error);
      }
      return isBackfilled(parts.store.state); // a failed repair leaves hidden blocks, which the backfill then stores
    });
  };
  while (!signal.aborted) {
    await runBackfill(parts, {
      audit: async () => Date.now() - auditedAt < auditEveryMs || auditNow(),
      isCheckDue,
      checkDatabase,
    });
    // rollup errors must not stop the pipeline: rollups run again after each finalized block
    await (hooks.backfillOnly ? rollups.close() : rollups.closeOrLog());
    if (!signal.aborted) hooks.onBackfilled?.();
    if (hooks.backfillOnly) return;
    let isSound = true;
    while (isSound && !signal.aborted) {
      await pause(auditEveryMs, signal);
      isSound = signal.aborted || (await auditNow());
    }
  }
}

interface FollowParts {
  readonly deps: PipelineDeps;
  readonly follower: Follower;
  readonly source: FetchAhead;
  readonly store: ChainStateStore;
  readonly way: WritePriority;
}

async function follow({ deps, follower, source, store, way }: FollowParts): Promise<void> {
  const { client, signal } = deps;
  const { wsUrl, pollIntervalMs } = deps.settings;
  let wake: () => void = () => {};
  let isDirty = true;
  const onHead = () => {
    isDirty = true;
    wake();
  };
  signal.addEventListener('abort', onHead, { once: true });
  const watching = watchHeads({ client, wsUrl, pollIntervalMs, signal, onHead, log: deps.log });
  const anchorLog = new AnchorLog(deps);
  const progress = new Progress();
  let pauseMs = 50;
  while (!signal.aborted) {
    if (!isDirty) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    isDirty = false;
    try {
      await way.take(() => follower.step());
      await anchorLog.follow(follower.window);
      deps.metrics.recordFollowed();
      pauseMs = 50;
      recordStep(deps, follower);
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof DeepReorgError) {
        await follower.finalized(); // must not raise the finalized block during the rewind
        throw error;
      }
      recordError(deps, error, pauseMs);
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, 5_000);
      isDirty = true;
    }
    if (follower.doubt.isHeld) {
      // while a node contradicts finalized blocks, check again even without a new head
      await pause(Math.max(pollIntervalMs, 500), signal);
      isDirty = true;
    }
    const highest = Math.max(...client.endpoints.map((endpoint) => endpoint.head));
    const isBehind = highest - store.state.head > maxLagForBackfill && follower.holdReason === undefined;
    source.setPaused(isBehind && pauseMs === 50 && progress.isRecent(store.state.head));
  }
  await watching;
  await follower.finalized();
}

/** Time without a new head after which the backfill continues, ms: an endpoint may have reported a nonexistent head. */
const maxStandMs = 10_000;

class Progress {
  #head = -1;
  #movedAt = 0;

  isRecent(head: number): boolean {
    if (head !== this.#head) this.#movedAt = performance.now();
    this.#head = head;
    return performance.now() - this.#movedAt < maxStandMs;
  }
}

/** Publishes the status after a step. A block that failed its checks stays reported until it is stored. */
function recordStep({ report }: ReportDeps, { holdReason, isSilent, window }: Follower): void {
  const bad = report.state.badBlock;
  if (holdReason !== undefined || (bad && window.head.number < bad.block)) return;
  if (isSilent) report.set({ phase: 'failing', reason: 'no endpoint of RPC_URL reports its newest block' });
  else report.set({ phase: 'following', reason: null, badBlock: null });
}

function recordError({ report, log }: PipelineDeps, error: unknown, retryInMs: number): void {
  const reason = error instanceof Error ? error.message : String(error);
  // one node can announce any height, so a block that no node has may not exist
  const isBadBlock = error instanceof InvalidChainData && error.violation !== 'null_block';
  report.set({
    phase: 'failing',
    reason,
    ...(isBadBlock ? { badBlock: { block: error.blockNumber, fault: reason } } : {}),
  });
  log.warn({ event: 'follow_error', error: String(error), retryInMs });
}
