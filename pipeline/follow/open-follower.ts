import { findGaps } from '#chain/intervals.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import type { HeadRef } from '#chain/rpc/wire-types.ts';
import { getFirst } from '#runtime/lists.ts';
import { pause } from '#runtime/shutdown.ts';
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import { StoreError } from '#sql/store-error.ts';
import type { PipelineDeps } from '../deps.ts';
import { forgetCheckpoints } from '../jobs/job-marks.ts';
import { undoubted } from '../store/chain-state-store.ts';
import { keepOrphans } from '../store/keep-orphans.ts';
import { removeUnfinalized } from '../store/remove-blocks.ts';
import { ChainWindow } from './chain-window.ts';
import { DeepReorgError, FinalizedDoubt } from './doubt.ts';
import { finalizedHeight } from './finality.ts';
import { type FinalizeParts, Finalizer } from './finalize-blocks.ts';
import { readVotes, reportVotes, storedHash } from './finalized-comparison.ts';
import { Follower } from './follower.ts';
import { asHead, readFinalizedTag, readHeads } from './read-head.ts';
import { detectionTime, recordIntent, reorgIntent } from './record-reorg.ts';
import { removeUnpublished } from './remove-unpublished.ts';

/** At least this many missed finalized blocks are fetched in ranges, before following the chain. */
const catchUpBlocks = 128;

/**
 * Aligns the stored state with the nodes.
 * @returns undefined when the signal fired first
 * @throws DeepReorgError when finalized blocks must be removed first
 */
export async function openFollower(parts: FinalizeParts): Promise<Follower | undefined> {
  const { deps, store } = parts;
  if (!(await store.load())) await initState(parts);
  if (deps.signal.aborted) return undefined;
  const intent = reorgIntent(store.state);
  if (intent?.isRewind) throw new DeepReorgError(intent.forkBlock);
  await recordIntent(deps.database, store);
  await hideHoles(parts);
  await removeUnpublished(parts);
  const { head, droppedThrough } = store.state;
  await removeUnfinalized(deps, (block) => block > head || block <= droppedThrough);
  const finalizer = new Finalizer(parts);
  const doubt = new FinalizedDoubt(deps, store);
  await catchUp(parts, finalizer, doubt);
  if (deps.signal.aborted) return undefined;
  return new Follower(parts, finalizer, await linkedWindow(parts), doubt);
}

async function initState({ deps, store }: FinalizeParts): Promise<void> {
  const { settings, signal, log, report } = deps;
  while (!signal.aborted) {
    try {
      return await store.init(await firstState(deps));
    } catch (error) {
      if (error instanceof StoreError) throw error;
      if (!signal.aborted) log.warn({ event: 'waiting_for_node', reason: String(error) });
      report?.set({ phase: 'failing', reason: error instanceof Error ? error.message : String(error) });
    }
    await pause(settings.pollIntervalMs, signal);
  }
}

/** @throws Error when START_BLOCK isn't finalized yet, or the nodes disagree */
async function firstState(deps: PipelineDeps) {
  const { client, settings, signal } = deps;
  const { startBlock } = settings;
  const { head, finalized } = await readHeights(deps, 0);
  if (finalized < startBlock)
    throw new Error(`START_BLOCK ${startBlock} is above the finalized block ${finalized}: wait, or lower START_BLOCK`);
  const endpoint = await trustedEndpoint(deps, finalized);
  const options = { verify: settings.verify, signal, ...(endpoint ? { endpoint } : {}) };
  const { bundles } = await fetchBlocks(client, finalized, finalized, options);
  return {
    startBlock,
    backfilledBefore: startBlock,
    followFrom: finalized + 1,
    droppedThrough: finalized,
    quarantined: [],
    reorgGeneration: 1,
    finalized,
    head: finalized,
    headHash: getFirst(bundles).block.hash.toLowerCase(),
    chainHead: head,
    rollupThrough: startBlock - (startBlock % rollupWindowBlocks),
    hourThrough: 0,
    dayThrough: 0,
    repairs: [],
    ...undoubted,
  };
}

async function readHeights(deps: PipelineDeps, previous: number) {
  const heads = await readHeads(deps.client, deps.signal);
  // the head of one node alone may not exist: of three or more, the second highest counts
  const head = heads[heads.length < 3 ? 0 : 1];
  if (!head) throw new Error('no endpoint of RPC_URL reported its newest block');
  const depth = deps.settings.finalityDepth;
  const tag = await readFinalizedTag(deps);
  return { head: head.number, finalized: finalizedHeight({ head: head.number, tag: tag?.number, depth, previous }) };
}

/**
 * Returns an endpoint of the majority; undefined when all agree.
 * @throws Error when endpoints disagree without a majority among at least three
 */
async function trustedEndpoint(deps: PipelineDeps, block: number): Promise<Endpoint | undefined> {
  const votes = await readVotes(deps, block);
  const most = reportVotes(votes, block, deps.client.endpoints.length);
  if (votes.length <= 1) return undefined;
  if (most) return getFirst(most.endpoints);
  const heads = votes.flatMap(({ hash, endpoints }) => endpoints.map(({ name }) => `${name} has ${hash}`)).join(', ');
  throw new Error(`endpoints disagree about block ${block}: ${heads}. Remove the wrong endpoints from RPC_URL`);
}

/**
 * If the journal of stored ranges lacks finalized blocks, raises `followFrom` above them: the backfill then stores
 * them.
 */
async function hideHoles({ deps, store, journal }: FinalizeParts): Promise<void> {
  const { followFrom, finalized } = store.state;
  const hole = findGaps({ fromBlock: followFrom, toBlock: finalized }, journal.doneIntervals).at(-1);
  if (!hole || finalized < followFrom) return;
  deps.log.warn({ event: 'journal_hole', ...hole });
  await forgetCheckpoints(deps);
  await store.retract((state) => ({ followFrom: hole.toBlock + 1, reorgGeneration: state.reorgGeneration + 1 }));
}

async function catchUp(parts: FinalizeParts, finalizer: Finalizer, doubt: FinalizedDoubt): Promise<void> {
  const { deps, store } = parts;
  const { signal } = deps;
  let pauseMs = 250;
  while (!signal.aborted) {
    try {
      const { finalized } = store.state;
      const { finalized: target } = await readHeights(deps, finalized);
      const hash = await finalizedHash(parts);
      // a node contradicts the finalized block: the follower waits
      if (hash !== undefined && !(await doubt.check(finalized, hash))) return;
      if (target - finalized < catchUpBlocks) return;
      await removeUnpublished(parts); // an attempt that failed has left rows, perhaps of another branch
      deps.log.info({ event: 'catch_up', fromBlock: finalized + 1, toBlock: target });
      await finalizeThrough(parts, finalizer, target, await trustedEndpoint(deps, target));
    } catch (error) {
      if (error instanceof DeepReorgError) throw error;
      deps.report?.set({ phase: 'failing', reason: `catch-up failed: ${String(error)}` });
      if (!signal.aborted) deps.log.warn({ event: 'catch_up_error', error: String(error), retryInMs: pauseMs });
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, 15_000);
    }
  }
}

async function finalizeThrough(
  parts: FinalizeParts,
  finalizer: Finalizer,
  target: number,
  endpoint: Endpoint | undefined,
): Promise<void> {
  const { state } = parts.store;
  const followed = await dropForeignBranch(parts, target, endpoint);
  // first up to the last followed block, whose hash covers the blocks before it
  for (const toBlock of [Math.max(state.finalized, ...followed.keys()), target]) {
    const fromBlock = parts.store.state.finalized + 1;
    if (fromBlock <= toBlock) await finalizer.finalizeFromNode({ fromBlock, toBlock }, (block) => followed.get(block));
  }
}

/**
 * Removes unfinalized blocks that the nodes replaced, before these heights are finalized.
 * @param endpoint node to ask; undefined: any, because all agree
 * @returns the hashes of the remaining blocks
 */
async function dropForeignBranch(
  { deps, store }: FinalizeParts,
  target: number,
  endpoint: Endpoint | undefined,
): Promise<Map<number, string>> {
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
    // a node that lacks the block does not prove that another block replaced it
    if (now === undefined) throw new Error(`no node returns block ${block.number}, although one has block ${target}`);
    if (now.hash !== block.hash) break;
    shared = block.number;
  }
  const kept = new Map(stored.flatMap(({ number, hash }) => (number <= shared ? [[number, hash]] : [])));
  if (shared >= upTo) return kept;
  const headHash = stored.find((block) => block.number === shared)?.hash;
  if (!headHash) throw new Error(`the finalized block ${finalized} is not stored`);
  await removeBranch({ deps, store }, stored, shared, headHash);
  return kept;
}

/** Hides and removes the blocks above `forkBlock`, and records the reorg. The blocks of the new branch come later. */
async function removeBranch(
  { deps, store }: Pick<FinalizeParts, 'deps' | 'store'>,
  stored: readonly HeadRef[],
  forkBlock: number,
  headHash: string,
): Promise<void> {
  const removed = stored.filter(({ number }) => number > forkBlock).map(({ hash }) => hash);
  const reorg = { detectedMs: await detectionTime(deps.database), forkBlock, removed, added: [] };
  await keepOrphans(deps, forkBlock, store.state.head);
  await store.retract(({ reorgGeneration }) => ({
    head: forkBlock,
    headHash,
    reorgGeneration: reorgGeneration + 1,
    reorgIntent: JSON.stringify(reorg),
  }));
  await removeUnfinalized(deps, (block) => block > forkBlock);
  await recordIntent(deps.database, store);
}

async function finalizedHash({ deps, store }: FinalizeParts): Promise<string | undefined> {
  const { finalized, head, headHash } = store.state;
  if (head === finalized) return headHash;
  const [first] = await readWindow(deps, finalized, head);
  return first?.number === finalized ? first.hash : undefined;
}

/** Loads the unfinalized blocks. If parent hashes don't match, removes the blocks, which are then fetched again. */
async function linkedWindow(parts: FinalizeParts): Promise<ChainWindow> {
  try {
    return await loadWindow(parts);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { deps, store } = parts;
    const { finalized, head } = store.state;
    deps.log.error({ event: 'window_dropped', finalized, head, reason: error.message });
    const stored = await readWindow(deps, finalized, head);
    const headHash = (await storedHash(deps, finalized)) ?? stored[0]?.hash;
    if (headHash === undefined) throw error;
    await removeBranch(parts, stored, finalized, headHash);
    return loadWindow(parts);
  }
}

async function loadWindow({ deps, store }: FinalizeParts): Promise<ChainWindow> {
  const { finalized, head, headHash } = store.state;
  const headOnly = { number: head, hash: headHash, parentHash: headHash, timestamp: 0 };
  const [first = headOnly, ...rest] = await readWindow(deps, finalized, head);
  const newest = rest.at(-1) ?? first;
  // after a power failure, rows can be missing that the chain state counts
  if (newest.number !== head || newest.hash !== headHash)
    throw new RangeError(`block ${head} with the hash ${headHash} is not stored, the newest block is ${newest.number}`);
  const known = first.timestamp > 0 ? first : { ...first, timestamp: await readBlockTime(deps, first) };
  return new ChainWindow([known, ...rest]);
}

const maxTimeAttempts = 20;

/** Returns 0 when no node has the block: then the next block's time isn't checked. */
async function readBlockTime({ client, signal }: PipelineDeps, { hash }: HeadRef): Promise<number> {
  for (let tries = 0; tries < maxTimeAttempts && !signal.aborted; tries++) {
    const block = await client.call('eth_getBlockByHash', [hash, false], { signal }).catch(() => undefined);
    const head = asHead(block);
    if (head?.hash === hash) return head.timestamp;
    await pause(100, signal);
  }
  return 0;
}

async function readWindow({ database }: PipelineDeps, finalized: number, head: number): Promise<HeadRef[]> {
  const rows = await database.read('unfinalized_blocks', { finalized, head });
  const blocks = rows.map((row) => ({
    number: Number(row.block_number),
    hash: row.hash,
    parentHash: row.parent_hash,
    timestamp: row.time,
  }));
  const first = blocks[0];
  // if the finalized block is not stored yet, the next block names its hash
  if (first && first.number === finalized + 1)
    blocks.unshift({ number: finalized, hash: first.parentHash, parentHash: first.parentHash, timestamp: 0 });
  return blocks;
}
