/**
 * Traces finalized blocks that were stored without traces: TRACES was off, or no node could trace them. Works from the
 * newest block downwards.
 */
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { pause } from '#runtime/shutdown.ts';
import { blocksPerPartition } from '#sql/chain-tables.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { type ChainState, isBackfilled } from '#sql/snapshot.ts';
import type { PipelineDeps } from '../deps.ts';
import { encodeCalls } from '../encode/encode-calls.ts';
import { storeBalances } from '../jobs/account-balances.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { gapsOf, type Interval, mergeIntervals } from '../store/intervals.ts';
import { attachTraces } from './attach-traces.ts';
import { compactTraced, readTraced, recordTraced } from './traced-ranges.ts';

const stepBlocks = 200;
const defaultSetAsideMs = 600_000;
const maxPauseMs = 60_000;
const defaultEveryMs = 3_000;

interface SetAside extends Interval {
  readonly until: number;
}

export async function traceHistory(deps: PipelineDeps, store: ChainStateStore): Promise<void> {
  const { signal, settings, log } = deps;
  if (!settings.traces) return;
  const { jobsEveryMs: idleMs = defaultEveryMs, quarantinedRetryMs: setAsideMs = defaultSetAsideMs } = settings;
  let setAside: readonly SetAside[] = [];
  let pauseMs = idleMs;
  while (!signal.aborted) {
    if (!mayTrace(store.state)) {
      await pause(pauseMs, signal);
      continue;
    }
    setAside = setAside.filter(({ until }) => until > Date.now());
    try {
      const untraced = await traceNext(deps, store, setAside);
      pauseMs = untraced?.length ? Math.min(pauseMs * 2, maxPauseMs) : idleMs;
      if (untraced?.length === 0) continue;
      const until = Date.now() + setAsideMs;
      setAside = [...setAside, ...(untraced ?? []).map((range) => ({ ...range, until }))];
    } catch (error) {
      if (signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      log.warn({ event: 'trace_history_fault', error: String(error), retryInMs: pauseMs });
    }
    await pause(pauseMs, signal);
  }
}

const mayTrace = (state: ChainState) => isBackfilled(state) && state.doubtedFrom === undefined;

async function traceNext(deps: PipelineDeps, store: ChainStateStore, setAside: readonly Interval[]) {
  const window = await nextWindow(deps, store.state, setAside);
  return window && traceWindow(deps, store, window);
}

async function nextWindow(
  deps: PipelineDeps,
  { startBlock, finalized, quarantined }: ChainState,
  setAside: readonly Interval[],
): Promise<Interval | undefined> {
  await compactTraced(deps);
  const known = [...(await readTraced(deps)), ...quarantined.map((block) => ({ fromBlock: block, toBlock: block }))];
  const gap = gapsOf({ fromBlock: startBlock, toBlock: finalized }, [...known, ...setAside]).at(-1);
  if (!gap) return undefined;
  const partition = gap.toBlock - (gap.toBlock % blocksPerPartition);
  return { fromBlock: Math.max(gap.fromBlock, gap.toBlock - stepBlocks + 1, partition), toBlock: gap.toBlock };
}

async function traceWindow(deps: PipelineDeps, store: ChainStateStore, window: Interval): Promise<Interval[]> {
  const { reorgGeneration, finalized } = store.state;
  const bundles = await attachTraces(deps, await fetchStored(deps, window), true);
  const traced = bundles.filter(({ calls }) => calls !== undefined);
  const ranges = mergeIntervals(traced.map(toInterval));
  await insertCalls(deps, traced);
  const calls = traced.flatMap((bundle) => bundle.calls ?? []).flat();
  const touched = new Set(calls.flatMap(({ from, to }) => [from, to ?? from]));
  await storeBalances(deps, [...touched], finalized);
  // if rows were removed meanwhile (the reorg generation changed), don't record the blocks as traced
  if (deps.signal.aborted || store.state.reorgGeneration !== reorgGeneration) return [];
  await recordTraced(deps, ranges);
  await store.publish({}); // a new state makes readers reload the traced ranges
  deps.log.info({ event: 'history_traced', ...window, blocks: traced.length, ofBlocks: bundles.length });
  return gapsOf(window, ranges);
}

/** @throws Error when hashes differ from the stored ones, which the audit handles */
async function fetchStored(deps: PipelineDeps, { fromBlock, toBlock }: Interval): Promise<BlockBundle[]> {
  const { client, database, settings, signal } = deps;
  const stored = await database.read('blocks_between', { from_block: fromBlock, to_block: toBlock });
  const hashes = new Map(stored.map((row) => [Number(row.block_number), row.block_hash]));
  const bundles: BlockBundle[] = [];
  for (let at = fromBlock; at <= toBlock; at += settings.batchBlocks) {
    const end = Math.min(at + settings.batchBlocks - 1, toBlock);
    bundles.push(...(await fetchBlocks(client, at, end, { verify: settings.verify, signal })).bundles);
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

async function insertCalls({ database }: PipelineDeps, bundles: readonly BlockBundle[]): Promise<void> {
  const writers = { internal_calls: new RowWriter(1 << 12), block_traces: new RowWriter(1 << 12) };
  for (const bundle of bundles) encodeCalls(writers, bundle, 1);
  for (const table of ['internal_calls', 'block_traces'] as const)
    if (writers[table].rows > 0) await database.insertRowBinary(table, writers[table].view());
}

const toInterval = ({ block }: BlockBundle): Interval => ({
  fromBlock: Number(block.number),
  toBlock: Number(block.number),
});
