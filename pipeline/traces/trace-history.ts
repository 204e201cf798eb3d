/**
 * Traces settled blocks that were stored without: those from before TRACES was turned on, and those that no node could
 * trace at the time. From the newest down, so that what is covered grows without holes; the journal of traces says where it
 * stands, so it goes on after a stop, and a step that is done twice gives the same rows.
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

/** Blocks of one step. */
const stepBlocks = 200;
/** How long a block that nobody could trace is left alone where the settings don't say, ms. */
const defaultSetAsideMs = 600_000;
const maxPauseMs = 60_000;
const defaultEveryMs = 3_000;

interface SetAside extends Interval {
  readonly until: number;
}

/** Runs until the signal fires; does nothing where traces are not asked for. */
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

/** Not while history is still stored, nor while finalized blocks are doubted. */
const mayTrace = (state: ChainState) => isBackfilled(state) && state.doubtedFrom === undefined;

/** @returns blocks that nobody could trace; undefined where there is nothing to be done now */
async function traceNext(deps: PipelineDeps, store: ChainStateStore, setAside: readonly Interval[]) {
  const window = await nextWindow(deps, store.state, setAside);
  return window && traceWindow(deps, store, window);
}

/** The highest settled blocks without traces; undefined where there are none to be done now. */
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

/** @returns blocks that nobody could trace */
async function traceWindow(deps: PipelineDeps, store: ChainStateStore, window: Interval): Promise<Interval[]> {
  const { reorgGeneration, finalized } = store.state;
  const bundles = await attachTraces(deps, await fetchStored(deps, window), true);
  const traced = bundles.filter(({ calls }) => calls !== undefined);
  const ranges = mergeIntervals(traced.map(rangeOf));
  await insertCalls(deps, traced);
  const calls = traced.flatMap((bundle) => bundle.calls ?? []).flat();
  const touched = new Set(calls.flatMap(({ from, to }) => [from, to ?? from]));
  await storeBalances(deps, [...touched], finalized);
  // a repair may have taken rows away meanwhile, these among them: then they are done again
  if (deps.signal.aborted || store.state.reorgGeneration !== reorgGeneration) return [];
  await recordTraced(deps, ranges);
  await store.publish({}); // readers look at the journal again with a new state
  deps.log.info({ event: 'history_traced', ...window, blocks: traced.length, ofBlocks: bundles.length });
  return gapsOf(window, ranges);
}

/** The blocks as the node has them. @throws Error where they are not those that are stored: the auditor's matter */
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
      throw new Error(`block ${Number(block.number)} is ${block.hash} at the node, stored is ${hash ?? 'nothing'}`);
  }
  return bundles;
}

async function insertCalls({ database }: PipelineDeps, bundles: readonly BlockBundle[]): Promise<void> {
  const writers = { internal_calls: new RowWriter(1 << 12), block_traces: new RowWriter(1 << 12) };
  for (const bundle of bundles) encodeCalls(writers, bundle, 1);
  for (const table of ['internal_calls', 'block_traces'] as const)
    if (writers[table].rows > 0) await database.insertRowBinary(table, writers[table].view());
}

const rangeOf = ({ block }: BlockBundle): Interval => ({
  fromBlock: Number(block.number),
  toBlock: Number(block.number),
});
