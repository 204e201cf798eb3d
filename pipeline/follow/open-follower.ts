import { randomInt } from 'node:crypto';
import { findGaps, single } from '#chain/intervals.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { pause } from '#runtime/shutdown.ts';
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import { type ChainState, listShown } from '#sql/snapshot.ts';
import { StoreError } from '#sql/store-error.ts';
import { undoubted } from '../store/chain-state-store.ts';
import { findUncheckedStart, hideLost, recordChecked } from '../store/lost-rows.ts';
import { removeUnfinalized } from '../store/remove-blocks.ts';
import { hideRange } from '../store/repair-range.ts';
import { forgetTraced } from '../traces/traced-ranges.ts';
import { DeepReorgError, FinalizedDoubt } from './doubt.ts';
import { finalizedHeight } from './finality.ts';
import { type FinalizeParts, Finalizer, type FollowDeps } from './finalize-blocks.ts';
import { findTrustedEndpoint } from './finalized-comparison.ts';
import { Follower } from './follower.ts';
import { fetchTrustedHash, findFinalizedHash, loadLinkedWindow, readWindow, removeBranch } from './load-window.ts';
import { asHead, readFinalizedTag, readHeads } from './read-head.ts';
import { recordIntent, reorgIntent } from './record-reorg.ts';
import { removeUnpublished } from './remove-unpublished.ts';

/** Minimum missed finalized blocks to fetch in ranges, before following the chain. */
const catchUpBlocks = 128;

/**
 * Aligns the stored state with the nodes.
 * @returns undefined when the signal aborted first
 * @throws DeepReorgError when finalized blocks must be removed first
 */
export async function openFollower(parts: FinalizeParts): Promise<Follower | undefined> {
  const { deps, store } = parts;
  const uncheckedStart = await findUncheckedStart(deps);
  if (!(await store.load())) await initState(parts);
  else if (uncheckedStart !== undefined) await store.leap();
  if (deps.signal.aborted) return undefined;
  warnOfStart(deps, store.state);
  const intent = reorgIntent(store.state);
  if (intent?.isRewind) throw new DeepReorgError(intent.forkBlock);
  await recordIntent(deps.database, store);
  await hideHoles(parts);
  await removeUnpublished(parts);
  const { head, droppedThrough } = store.state;
  await removeUnfinalized(deps, (block) => block > head || block <= droppedThrough);
  if (uncheckedStart !== undefined) await hideLost(parts, uncheckedStart);
  const finalizer = new Finalizer(parts);
  const doubt = new FinalizedDoubt(deps, store);
  await catchUp(parts, finalizer, doubt);
  if (deps.signal.aborted) return undefined;
  const window = await loadLinkedWindow(parts, uncheckedStart !== undefined);
  if (uncheckedStart !== undefined) await recordChecked(deps, uncheckedStart);
  return new Follower(parts, finalizer, window, doubt);
}

/** Only the first start of a pipeline sets where an index begins. */
function warnOfStart({ log, settings }: Pick<FollowDeps, 'log' | 'settings'>, { startBlock }: ChainState): void {
  if (settings.startBlock === startBlock) return;
  const text = `START_BLOCK is ignored: this index begins with block ${startBlock}. To begin elsewhere, index into another CLICKHOUSE_DATABASE`;
  log.warn({ event: 'start_block_ignored', configured: settings.startBlock, startBlock }, text);
}

async function initState({ deps, store }: FinalizeParts): Promise<void> {
  const { settings, signal, log, report } = deps;
  while (!signal.aborted) {
    try {
      return await store.init(await firstState(deps));
    } catch (error) {
      if (error instanceof StoreError) throw error;
      if (!signal.aborted) log.warn({ event: 'waiting_for_node', reason: String(error) });
      report.set({ phase: 'failing', reason: error instanceof Error ? error.message : String(error) });
    }
    await pause(settings.pollIntervalMs, signal);
  }
}

/** Cursors have 32 bits for the reorg generation, which grows by one per reorg. */
const maxFirstGeneration = 2 ** 31;

/** @throws Error when START_BLOCK isn't finalized yet, or the nodes disagree */
async function firstState(deps: FollowDeps) {
  const { startBlock } = deps.settings;
  const { head, finalized } = await readHeights(deps, 0);
  if (finalized < startBlock)
    throw new Error(`START_BLOCK ${startBlock} is above the finalized block ${finalized}: wait, or lower START_BLOCK`);
  return {
    startBlock,
    backfilledBefore: startBlock,
    followFrom: finalized + 1,
    droppedThrough: finalized,
    quarantined: [],
    // random, so that cursors of another index of this chain are compared by block hash
    reorgGeneration: randomInt(1, maxFirstGeneration),
    finalized,
    head: finalized,
    headHash: await fetchTrustedHash(deps, finalized),
    chainHead: head,
    rollupThrough: startBlock - (startBlock % rollupWindowBlocks),
    hourThrough: 0,
    dayThrough: 0,
    repairs: [],
    ...undoubted,
  };
}

async function readHeights(deps: FollowDeps, previous: number) {
  const heads = await readHeads(deps.client, deps.signal);
  // one node's head may not exist, so with three or more heads, use the second highest
  const head = heads[heads.length < 3 ? 0 : 1];
  if (!head) throw new Error('no endpoint of RPC_URL reported its newest block');
  const depth = deps.settings.finalityDepth;
  const tag = await readFinalizedTag(deps);
  return { head: head.number, finalized: finalizedHeight({ head: head.number, tag: tag?.number, depth, previous }) };
}

/** Hides finalized blocks that readers see but the journal lacks. The backfill then stores them. */
async function hideHoles(parts: FinalizeParts): Promise<void> {
  const { deps, store, journal } = parts;
  const { finalized, quarantined } = store.state;
  const known = [...journal.doneIntervals, ...quarantined.map(single)];
  const holes = listShown(store.state, finalized).flatMap((window) => findGaps(window, known));
  for (const hole of holes) {
    deps.log.warn({ event: 'journal_hole', ...hole });
    await forgetTraced(deps, hole);
    await hideRange(parts, hole, true);
  }
}

async function catchUp(parts: FinalizeParts, finalizer: Finalizer, doubt: FinalizedDoubt): Promise<void> {
  const { deps, store } = parts;
  const { signal } = deps;
  let pauseMs = 250;
  while (!signal.aborted) {
    try {
      const { finalized } = store.state;
      const { finalized: target } = await readHeights(deps, finalized);
      // if a node contradicts the finalized block, the follower waits
      if (!(await doubt.check(finalized, await readFinalizedHash(parts)))) return;
      if (target - finalized < catchUpBlocks) return;
      await removeUnpublished(parts); // a failed attempt left rows, perhaps of another branch
      deps.log.info({ event: 'catch_up', fromBlock: finalized + 1, toBlock: target });
      await finalizeThrough(parts, finalizer, target, await findTrustedEndpoint(deps, target));
    } catch (error) {
      if (error instanceof DeepReorgError) throw error;
      deps.report.set({ phase: 'failing', reason: `catch-up failed: ${String(error)}` });
      if (!signal.aborted) deps.log.warn({ event: 'catch_up_error', error: String(error), retryInMs: pauseMs });
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, 15_000);
    }
  }
}

async function readFinalizedHash(parts: FinalizeParts): Promise<string> {
  const { finalized, head, headHash } = parts.store.state;
  return head === finalized ? headHash : findFinalizedHash(parts, await readWindow(parts.deps, finalized, head));
}

async function finalizeThrough(
  parts: FinalizeParts,
  finalizer: Finalizer,
  target: number,
  endpoint: Endpoint | undefined,
): Promise<void> {
  const { state } = parts.store;
  const followed = await dropForeignBranch(parts, target, endpoint);
  const setWorking = () => parts.deps.report.set({ phase: 'starting', reason: null });
  // first up to the last followed block: its hash covers the blocks before it
  for (const toBlock of [Math.max(state.finalized, ...followed.keys()), target]) {
    const fromBlock = parts.store.state.finalized + 1;
    if (fromBlock > toBlock) continue;
    await finalizer.finalizeFromNode({ fromBlock, toBlock }, (block) => followed.get(block), setWorking);
  }
}

/**
 * Removes unfinalized blocks that the nodes replaced, before these heights become final.
 * @param endpoint node to query; undefined: any, because all agree
 * @returns the hashes of the remaining blocks
 */
async function dropForeignBranch(
  parts: FinalizeParts,
  target: number,
  endpoint: Endpoint | undefined,
): Promise<Map<number, string>> {
  const { deps, store } = parts;
  const { finalized, head } = store.state;
  const stored = await readWindow(deps, finalized, head);
  const upTo = Math.min(head, target);
  let shared = finalized;
  for (const block of stored) {
    if (block.number <= finalized || block.number > upTo) continue;
    const now = asHead(
      await deps.client.call('eth_getBlockByNumber', [`0x${block.number.toString(16)}`, false], {
        minHead: target,
        signal: deps.signal,
        ...(endpoint && { endpoint }),
      }),
    );
    // a node without the block does not prove that another block replaced it
    if (now === undefined) throw new Error(`no node returns block ${block.number}, although one has block ${target}`);
    if (now.hash !== block.hash) break;
    shared = block.number;
  }
  const kept = new Map(stored.flatMap(({ number, hash }) => (number <= shared ? [[number, hash]] : [])));
  if (shared >= upTo) return kept;
  const headHash = kept.get(shared) ?? (await findFinalizedHash(parts, stored));
  await removeBranch({ deps, store }, stored, shared, headHash);
  return kept;
}
