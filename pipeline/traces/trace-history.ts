/** Traces finalized blocks without traces, newest first: TRACES was off or auto, or no node could trace them. */

import { TransportError } from '#chain/errors.ts';
import { findGaps, type Interval, mergeIntervals } from '#chain/intervals.ts';
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import { supportsTraces } from '#chain/rpc/fetch-calls.ts';
import { fetchInHalves } from '#chain/rpc/fetch-in-halves.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { pause } from '#runtime/shutdown.ts';
import { firstOfPartition } from '#sql/chain-tables.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { type ChainState, isBackfilled } from '#sql/snapshot.ts';
import { StoreError } from '#sql/store-error.ts';
import type { BackfillSettings, FetchSettings } from '../backfill/backfill-settings.ts';
import type { JobDeps, ReportDeps, StoreDeps } from '../deps.ts';
import { encodeCalls } from '../encode/encode-calls.ts';
import { storeBalances } from '../jobs/account-balances.ts';
import { storeCodes } from '../jobs/contract-codes.ts';
import type { JobSettings } from '../jobs/job-settings.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { attachTraces } from './attach-traces.ts';
import { compactTraced, readTraced, recordTracedLate } from './traced-ranges.ts';

const stepBlocks = 200;
const defaultSetAsideMs = 600_000;
/** Maximum pause before nodes are queried again, ms: nodes rarely gain trace support soon. */
const maxPauseMs = { on: 60_000, auto: 600_000 } as const;
const defaultEveryMs = 3_000;

interface TraceDeps extends JobDeps, ReportDeps {
  readonly settings: FetchSettings & Pick<BackfillSettings, 'quarantinedRetryMs'> & Pick<JobSettings, 'jobsEveryMs'>;
}

/** Blocks that no node could trace, to retry later. */
class SetAside {
  #ranges: readonly (Interval & { readonly until: number })[] = [];
  readonly forMs: number;

  constructor(forMs: number) {
    this.forMs = forMs;
  }

  get current(): readonly Interval[] {
    this.#ranges = this.#ranges.filter(({ until }) => until > Date.now());
    return this.#ranges;
  }

  add(ranges: readonly Interval[]): void {
    const until = Date.now() + this.forMs;
    this.#ranges = [...this.#ranges, ...ranges.map((range) => ({ ...range, until }))];
  }
}

export async function traceHistory(deps: TraceDeps, store: ChainStateStore): Promise<void> {
  const { signal, settings, log } = deps;
  const { traces = 'off', jobsEveryMs: idleMs = defaultEveryMs } = settings;
  if (traces === 'off') return;
  const setAside = new SetAside(settings.quarantinedRetryMs ?? defaultSetAsideMs);
  let pauseMs = idleMs;
  while (!signal.aborted) {
    const longer = Math.min(pauseMs * 2, maxPauseMs[traces]);
    try {
      const outcome = await traceNext(deps, store, setAside);
      if (outcome === 'traced') continue;
      pauseMs = outcome === 'refused' ? longer : idleMs;
    } catch (error) {
      if (signal.aborted) return;
      pauseMs = longer;
      log.warn({ event: 'trace_history_error', error: String(error), retryInMs: pauseMs });
    }
    await pause(pauseMs, signal);
  }
}

const mayTrace = (state: ChainState) => isBackfilled(state) && state.doubtedFrom === undefined;

/** @returns refused: no node traced some blocks; idle: nothing to trace now */
async function traceNext(
  deps: TraceDeps,
  store: ChainStateStore,
  setAside: SetAside,
): Promise<'traced' | 'refused' | 'idle'> {
  if (!mayTrace(store.state)) return 'idle';
  const window = await nextWindow(deps, store.state, setAside.current);
  const untraced = window ? await traceOrSetAside(deps, store, window, setAside) : [];
  deps.report.set({ traces: deps.client.endpoints.some(supportsTraces) ? 'indexed' : 'unsupported' });
  setAside.add(untraced);
  if (untraced.length > 0) return 'refused';
  return window ? 'traced' : 'idle';
}

/**
 * Sets a window aside if a node answers but the blocks can't be fetched. Otherwise it would stop all earlier windows.
 */
async function traceOrSetAside(
  deps: TraceDeps,
  store: ChainStateStore,
  window: Interval,
  setAside: SetAside,
): Promise<Interval[]> {
  try {
    return await traceWindow(deps, store, window);
  } catch (error) {
    if (!(error instanceof TransportError || error instanceof StoreError)) setAside.add([window]);
    throw error;
  }
}

async function nextWindow(
  deps: StoreDeps,
  { startBlock, finalized, quarantined }: ChainState,
  setAside: readonly Interval[],
): Promise<Interval | undefined> {
  await compactTraced(deps);
  const known = [...(await readTraced(deps)), ...quarantined.map((block) => ({ fromBlock: block, toBlock: block }))];
  const gap = findGaps({ fromBlock: startBlock, toBlock: finalized }, [...known, ...setAside]).at(-1);
  if (!gap) return undefined;
  return {
    fromBlock: Math.max(gap.fromBlock, gap.toBlock - stepBlocks + 1, firstOfPartition(gap.toBlock)),
    toBlock: gap.toBlock,
  };
}

async function traceWindow(deps: TraceDeps, store: ChainStateStore, window: Interval): Promise<Interval[]> {
  const { finalizedChanges } = store;
  const newest = () => store.state.finalized;
  const bundles = await attachTraces(deps, await fetchStored(deps, window), true);
  const traced = bundles.filter(({ calls }) => calls !== undefined);
  const ranges = mergeIntervals(traced.map(toInterval));
  await insertCalls(deps, traced);
  const calls = traced.flatMap((bundle) => bundle.calls ?? []).flat();
  const touched = new Set(calls.flatMap(({ from, to }) => [from, to ?? from]));
  await storeBalances(deps, [...touched], newest);
  const created = calls.filter(({ type, error }) => (type === 'create' || type === 'create2') && error === '');
  await storeCodes(deps, [...new Set(created.flatMap(({ to }) => to ?? []))], newest);
  // rows of finalized blocks may have been removed, so don't record the blocks as traced
  const isOutdated = () => deps.signal.aborted || store.finalizedChanges !== finalizedChanges;
  await recordTracedLate(deps, ranges, isOutdated);
  if (isOutdated()) return [];
  await store.publish({}); // a new state makes readers reload the traced ranges
  deps.log.info({ event: 'history_traced', ...window, blocks: traced.length, ofBlocks: bundles.length });
  return findGaps(window, ranges);
}

/** @throws Error when hashes differ from stored ones; the audit handles this */
async function fetchStored(deps: TraceDeps, { fromBlock, toBlock }: Interval): Promise<BlockBundle[]> {
  const { client, database, settings, signal } = deps;
  const stored = await database.read('blocks_between', { from_block: fromBlock, to_block: toBlock });
  const hashes = new Map(stored.map((row) => [Number(row.block_number), row.block_hash]));
  const bundles: BlockBundle[] = [];
  for (let at = fromBlock; at <= toBlock; at += settings.batchBlocks) {
    const end = Math.min(at + settings.batchBlocks - 1, toBlock);
    const fetchPart = (part: Interval) =>
      fetchBlocks(client, part.fromBlock, part.toBlock, { verify: settings.verify, signal });
    for (const part of await fetchInHalves({ fromBlock: at, toBlock: end }, fetchPart, signal))
      bundles.push(...part.bundles);
  }
  for (const { block } of bundles) {
    const hash = hashes.get(Number(block.number));
    if (hash !== block.hash.toLowerCase())
      throw new Error(
        `block ${Number(block.number)} has hash ${block.hash} on the node, but the stored hash is ${hash ?? 'missing'}`,
      );
  }
  return bundles;
}

async function insertCalls({ database }: StoreDeps, bundles: readonly BlockBundle[]): Promise<void> {
  const writers = { internal_calls: new RowWriter(1 << 12), block_traces: new RowWriter(1 << 12) };
  for (const bundle of bundles) encodeCalls(writers, bundle, 1);
  for (const table of ['internal_calls', 'block_traces'] as const)
    if (writers[table].rows > 0) await database.insertRowBinary(table, writers[table].view());
}

const toInterval = ({ block }: BlockBundle): Interval => ({
  fromBlock: Number(block.number),
  toBlock: Number(block.number),
});
