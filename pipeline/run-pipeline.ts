/** The pipeline as a whole: identity of the chain, backfill below, following above, rollups and audit beside. */
import { setMaxListeners } from 'node:events';
import { refreshHeads, watchHeads } from '#chain/rpc/watch-heads.ts';
import { pause } from '#runtime/shutdown.ts';
import { FetchAhead } from './backfill/fetch-ahead.ts';
import { type BackfillParts, runBackfill } from './backfill/run-backfill.ts';
import type { PipelineDeps } from './deps.ts';
import { AnchorLog } from './follow/anchor-log.ts';
import type { Follower } from './follow/follower.ts';
import { openFollower } from './follow/open-follower.ts';
import { RightOfWay } from './follow/right-of-way.ts';
import { assertIdentity } from './identity.ts';
import { audit } from './jobs/audit.ts';
import { runJobs } from './jobs/run-jobs.ts';
import { watchSources } from './sources/refresh-sources.ts';
import { ChainStateStore } from './store/chain-state-store.ts';
import { Journal } from './store/journal.ts';
import { ParkedBlocks } from './store/parked.ts';
import { Rollups } from './store/rollups.ts';
import { traceHistory } from './traces/trace-history.ts';
import type { HeadClaim } from './workers/head-claim.ts';
import { RangeClaims } from './workers/range-claims.ts';
import { standBy } from './workers/stand-by.ts';
import { Worker } from './workers/worker.ts';

/** Lag at which the backfill gives way to following, blocks. */
const maxLagForBackfill = 2;
const defaultAuditEveryMs = 300_000;

export interface PipelineHooks {
  /** History is complete up to where following began. */
  readonly onBackfilled?: () => void;
  readonly onFollowing?: (follower: Follower) => void;
  /** Leave after the backfill: for benches and one-off loads. */
  readonly backfillOnly?: boolean;
}

/**
 * Runs until the signal fires. Several may run on one database: one of them leads, the others help with history and take
 * over when it is gone.
 * @throws WrongChainError when the node serves another chain than configured or stored
 */
export async function runPipeline(deps: PipelineDeps, hooks: PipelineHooks = {}): Promise<void> {
  setMaxListeners(0, deps.signal); // every request in flight listens to it
  await assertIdentity(deps);
  if (deps.signal.aborted) return;
  const worker = new Worker(deps, deps.settings.leaseMs);
  await worker.join();
  try {
    let isDone = false;
    while (!isDone && !deps.signal.aborted) {
      const head = await standBy(deps, worker);
      if (head) isDone = await leadWith(head, worker, deps, hooks);
    }
  } finally {
    await worker.leave();
  }
}

/** Leads as long as the claim to the head stands. @returns true when the work is done */
async function leadWith(head: HeadClaim, worker: Worker, deps: PipelineDeps, hooks: PipelineHooks): Promise<boolean> {
  const signal = AbortSignal.any([deps.signal, head.lost]);
  setMaxListeners(0, signal);
  const ended = new AbortController();
  deps.log.info({ event: 'head_taken', worker: worker.id, claim: head.claim.number });
  worker.role = 'head';
  const watching = head.watch(worker.leaseMs / 5, AbortSignal.any([signal, ended.signal]));
  try {
    await lead({ ...deps, signal, database: deps.database.fencedBy(head.fence, signal) }, worker, hooks);
  } catch (error) {
    if (!head.lost.aborted) throw error;
  } finally {
    worker.role = 'helper';
    ended.abort();
    await watching;
  }
  if (head.lost.aborted) deps.log.warn({ event: 'head_lost', worker: worker.id, claim: head.claim.number });
  return !head.lost.aborted;
}

/** The work of the one that holds the head, until the signal fires. */
async function lead(deps: PipelineDeps, worker: Worker, hooks: PipelineHooks): Promise<void> {
  const store = new ChainStateStore(deps);
  const journal = new Journal(deps);
  const parked = new ParkedBlocks(deps);
  await Promise.all([journal.load(), parked.load(), refreshHeads(deps.client, deps.signal)]);
  const source = new FetchAhead(deps);
  const rollups = new Rollups(deps, store);
  const claims = new RangeClaims(deps, worker, deps.settings.claimBlocks);
  // promotion has a source of its own: were it paused with the backfill's, following would wait for it for ever
  const follower = await openFollower({ deps, store, journal, source: new FetchAhead(deps), rollups });
  if (!follower) return;
  hooks.onFollowing?.(follower);
  const chainHead = () => Math.max(store.state.chainHead, ...deps.client.endpoints.map((endpoint) => endpoint.head));
  deps.metrics?.watch({ store, journal, parked, follower, chainHead });
  const history = keepHistory({ deps, store, journal, parked, source, rollups, claims }, hooks);
  if (hooks.backfillOnly) return history;
  const way = new RightOfWay();
  const givingWay = { ...deps, database: deps.database.inTurn(() => way.give()) };
  const beside = [runJobs(givingWay, store), traceHistory(givingWay, store), watchSources(givingWay)];
  await Promise.all([history, follow({ deps, follower, source, store, way }), ...beside]);
}

/** Backfills, then audits what is stored for as long as the pipeline runs; what an audit takes out is backfilled again. */
async function keepHistory(parts: BackfillParts, hooks: PipelineHooks): Promise<void> {
  const { deps, rollups } = parts;
  const { signal, settings, log } = deps;
  while (!signal.aborted) {
    await runBackfill(parts);
    await rollups.close();
    if (!signal.aborted) hooks.onBackfilled?.();
    if (hooks.backfillOnly) return;
    let isSound = true;
    while (isSound && !signal.aborted) {
      await pause(settings.auditEveryMs ?? defaultAuditEveryMs, signal);
      isSound = await audit(parts).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ event: 'audit_fault', error: String(error) });
        return true;
      });
    }
  }
}

interface FollowParts {
  readonly deps: PipelineDeps;
  readonly follower: Follower;
  readonly source: FetchAhead;
  readonly store: ChainStateStore;
  readonly way: RightOfWay;
}

/** Steps at each sign of a new head; signs that come during a step are joined. */
async function follow({ deps, follower, source, store, way }: FollowParts): Promise<void> {
  const { client, settings, signal, log } = deps;
  let wake: () => void = () => {};
  let isDirty = true;
  const onHead = () => {
    isDirty = true;
    wake();
  };
  signal.addEventListener('abort', onHead, { once: true });
  const watching = watchHeads({
    client,
    wsUrl: settings.wsUrl,
    pollIntervalMs: settings.pollIntervalMs,
    signal,
    onHead,
  });
  const anchorLog = new AnchorLog(deps);
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
      deps.metrics?.noteFollowed();
      pauseMs = 50;
    } catch (error) {
      if (signal.aborted) break;
      log.warn({ event: 'follow_fault', error: String(error), retryInMs: pauseMs });
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, 5_000);
      isDirty = true;
    }
    const highest = Math.max(...client.endpoints.map((endpoint) => endpoint.head));
    source.setPaused(
      highest - store.state.head > maxLagForBackfill && follower.holdReason === undefined && pauseMs === 50,
    );
  }
  await watching;
  await follower.settled();
}
