/** Loads the unfinalized blocks at startup, or removes them if rows are lost. */
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import type { HeadRef } from '#chain/rpc/wire-types.ts';
import { getFirst } from '#runtime/lists.ts';
import { pause } from '#runtime/shutdown.ts';
import type { FetchSettings } from '../backfill/backfill-settings.ts';
import type { NodeDeps, StoreDeps } from '../deps.ts';
import { keepOrphans } from '../store/keep-orphans.ts';
import { findLostUnfinalized } from '../store/lost-rows.ts';
import { removeUnfinalized } from '../store/remove-blocks.ts';
import { ChainWindow } from './chain-window.ts';
import type { FinalizeParts } from './finalize-blocks.ts';
import { findTrustedEndpoint, storedHash } from './finalized-comparison.ts';
import { asHead } from './read-head.ts';
import { detectionTime, recordIntent } from './record-reorg.ts';

/** Hides and removes the blocks above `forkBlock`, and records the reorg. Does not store the new branch. */
export async function removeBranch(
  { deps, store }: Pick<FinalizeParts, 'deps' | 'store'>,
  stored: readonly HeadRef[],
  forkBlock: number,
  headHash: string,
): Promise<void> {
  const { head, headHash: lastHash } = store.state;
  const above = stored.filter(({ number }) => number > forkBlock).map(({ hash }) => hash);
  // a power failure can lose the row of the published head
  const removed = head > forkBlock && above.at(-1) !== lastHash ? [...above, lastHash] : above;
  const reorg = { detectedMs: await detectionTime(deps.database), forkBlock, removed, added: [] };
  await keepOrphans(deps, forkBlock, head);
  await store.retract(({ reorgGeneration }) => ({
    head: forkBlock,
    headHash,
    reorgGeneration: reorgGeneration + 1,
    reorgIntent: JSON.stringify(reorg),
  }));
  await removeUnfinalized(deps, (block) => block > forkBlock);
  await recordIntent(deps.database, store);
}

/**
 * Loads the unfinalized blocks. If rows are missing or parent hashes don't match, removes them all, and the follower
 * fetches them again.
 * @param isUnchecked the database was restarted, and may have lost rows of any table
 */
export async function loadLinkedWindow(parts: FinalizeParts, isUnchecked: boolean): Promise<ChainWindow> {
  try {
    return await loadWindow(parts, isUnchecked);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { deps, store } = parts;
    const { finalized, head } = store.state;
    deps.log.error({ event: 'window_dropped', finalized, head, reason: error.message });
    const stored = await readWindow(deps, finalized, head);
    await removeBranch(parts, stored, finalized, await findFinalizedHash(parts, stored));
    return loadWindow(parts);
  }
}

/** Returns the hash of the finalized block, stored or else from the nodes. @throws Error if no node returns it */
export async function findFinalizedHash(
  { deps, store, journal }: FinalizeParts,
  stored: readonly HeadRef[],
): Promise<string> {
  const { finalized } = store.state;
  const [first] = stored;
  const known =
    (await storedHash(deps, finalized)) ??
    (first?.number === finalized ? first.hash : undefined) ??
    journal.getHash(finalized);
  return known ?? fetchTrustedHash(deps, finalized);
}

/** Fetches and checks a block. @returns its hash @throws Error if no node returns it, or the nodes disagree */
export async function fetchTrustedHash(
  deps: NodeDeps & { readonly settings: Pick<FetchSettings, 'verify'> },
  block: number,
): Promise<string> {
  const endpoint = await findTrustedEndpoint(deps, block);
  const options = { verify: deps.settings.verify, signal: deps.signal, ...(endpoint && { endpoint }) };
  const { bundles } = await fetchBlocks(deps.client, block, block, options);
  return getFirst(bundles).block.hash.toLowerCase();
}

/** @throws RangeError if a block above the finalized one lacks rows or has a wrong parent hash */
async function loadWindow({ deps, store }: FinalizeParts, isUnchecked = false): Promise<ChainWindow> {
  const { finalized, head, headHash } = store.state;
  const stored = await readWindow(deps, finalized, head);
  // a power failure can lose rows that the chain state includes
  if (head > finalized && stored[0]?.number !== finalized)
    throw new RangeError(`block ${finalized + 1} is not stored, although the head is block ${head}`);
  const [first = { number: head, hash: headHash, parentHash: headHash, timestamp: 0 }, ...rest] = stored;
  const newest = rest.at(-1) ?? first;
  if (newest.number !== head || newest.hash !== headHash)
    throw new RangeError(`block ${head} with the hash ${headHash} is not stored, the newest block is ${newest.number}`);
  const [lost] = isUnchecked && head > finalized ? await findLostUnfinalized(deps, store.state) : [];
  if (lost) throw new RangeError(`rows of unfinalized blocks are missing: ${lost.where}, ${lost.detail}`);
  const known = first.timestamp > 0 ? first : { ...first, timestamp: await readBlockTime(deps, first) };
  return new ChainWindow([known, ...rest]);
}

const maxTimeAttempts = 20;

/** Returns 0 when no node has the block; then the next block's time isn't checked. */
async function readBlockTime({ client, signal }: NodeDeps, { hash }: HeadRef): Promise<number> {
  for (let tries = 0; tries < maxTimeAttempts && !signal.aborted; tries++) {
    const block = await client.call('eth_getBlockByHash', [hash, false], { signal }).catch(() => undefined);
    const head = asHead(block);
    if (head?.hash === hash) return head.timestamp;
    await pause(100, signal);
  }
  return 0;
}

/** Returns the finalized block and the stored blocks above it up to `head`, lowest first, perhaps with gaps. */
export async function readWindow({ database }: StoreDeps, finalized: number, head: number): Promise<HeadRef[]> {
  const rows = await database.read('unfinalized_blocks', { finalized, head });
  const blocks = rows.map((row) => ({
    number: Number(row.block_number),
    hash: row.hash,
    parentHash: row.parent_hash,
    timestamp: row.time,
  }));
  const first = blocks[0];
  // if the finalized block is not stored yet, the next block gives its hash
  if (first && first.number === finalized + 1)
    blocks.unshift({ number: finalized, hash: first.parentHash, parentHash: first.parentHash, timestamp: 0 });
  return blocks;
}
