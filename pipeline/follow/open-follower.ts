/** Brings the stored state and the node together at start: first run, a short stop, or a long one. */
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import type { HeadRef } from '#chain/rpc/wire-types.ts';
import { pause } from '#runtime/shutdown.ts';
import { eraBlocks } from '#sql/chain-tables.ts';
import { getStatement } from '#sql/statements.ts';
import { StoreError } from '#sql/store-error.ts';
import type { PipelineDeps } from '../deps.ts';
import { undoubted } from '../store/chain-state-store.ts';
import { gapsOf } from '../store/intervals.ts';
import { keepOrphans } from '../store/keep-orphans.ts';
import { removeUnsettled } from '../store/remove-blocks.ts';
import { ChainWindow } from './chain-window.ts';
import { finalizedHeight } from './finality.ts';
import { Follower } from './follower.ts';
import { asHead, readFinalizedTag, readHeads } from './read-head.ts';
import { type SettleParts, Settler } from './settle-blocks.ts';

/** Settled blocks missed during a stop from which on they are stored in ranges, not one by one. */
const catchUpBlocks = 128;

/** @returns undefined when the signal fired first */
export async function openFollower(parts: SettleParts): Promise<Follower | undefined> {
  const { deps, store } = parts;
  if (!(await store.load())) await initState(parts);
  if (deps.signal.aborted) return undefined;
  await hideHoles(parts);
  const { head, droppedThrough } = store.state;
  await removeUnsettled(deps, (block) => block > head || block <= droppedThrough);
  const settler = new Settler(parts);
  await catchUp(parts, settler);
  if (deps.signal.aborted) return undefined;
  return new Follower(parts, settler, await loadWindow(parts));
}

/** First start: everything up to the finalized height is left to the backfill, following begins above it. */
async function initState({ deps, store }: SettleParts): Promise<void> {
  const { client, settings, signal, log } = deps;
  const { startBlock } = settings;
  while (!signal.aborted) {
    try {
      const [head] = await readHeads(client, signal);
      if (!head) throw new Error('no endpoint tells its head');
      const tag = await readFinalizedTag(client, signal);
      const finalized = finalizedHeight({ head: head.number, tag, depth: settings.finalityDepth, previous: 0 });
      if (finalized < startBlock)
        throw new Error(`START_BLOCK ${startBlock} is above the finalized block ${finalized}`);
      const { bundles } = await fetchBlocks(client, finalized, finalized, { verify: settings.verify, signal });
      return await store.init({
        ...{
          startBlock,
          backfilledBefore: startBlock,
          followFrom: finalized + 1,
          droppedThrough: finalized,
          parked: [],
          epoch: 1,
        },
        ...{ finalized, head: finalized, headHash: bundles[0]!.block.hash.toLowerCase(), chainHead: head.number },
        ...{ eraThrough: startBlock - (startBlock % eraBlocks), hourThrough: 0, dayThrough: 0, ...undoubted },
      });
    } catch (error) {
      if (error instanceof StoreError) throw error;
      if (!signal.aborted) log.warn({ event: 'waiting_for_node', reason: String(error) });
    }
    await pause(settings.pollIntervalMs, signal);
  }
}

/** Blocks between where following began and the finalized height that the journal does not call done go to the backfill. */
async function hideHoles({ deps, store, journal }: SettleParts): Promise<void> {
  const { followFrom, finalized } = store.state;
  const hole = gapsOf({ fromBlock: followFrom, toBlock: finalized }, journal.doneIntervals).at(-1);
  if (!hole || finalized < followFrom) return;
  deps.log.warn({ event: 'journal_hole', ...hole });
  await store.retract((state) => ({ followFrom: hole.toBlock + 1, epoch: state.epoch + 1 }));
}

/** After a long stop: what has become final meanwhile is stored in ranges, before following goes on. */
async function catchUp(parts: SettleParts, settler: Settler): Promise<void> {
  const { deps, store } = parts;
  const { client, settings, signal } = deps;
  let pauseMs = 250;
  while (!signal.aborted) {
    try {
      const [head] = await readHeads(client, signal);
      if (!head) throw new Error('no endpoint tells its head');
      const tag = await readFinalizedTag(client, signal);
      const { finalized } = store.state;
      const target = finalizedHeight({ head: head.number, tag, depth: settings.finalityDepth, previous: finalized });
      if (target - finalized < catchUpBlocks) return;
      deps.log.info({ event: 'catch_up', fromBlock: finalized + 1, toBlock: target });
      await dropForeignBranch(parts, target);
      await settler.settleFromNode(finalized + 1, target);
    } catch (error) {
      if (!signal.aborted) deps.log.warn({ event: 'catch_up_fault', error: String(error), retryInMs: pauseMs });
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, 15_000);
    }
  }
}

/** Unsettled blocks that are not on the chain any more must go before their heights are settled. */
async function dropForeignBranch({ deps, store }: SettleParts, target: number): Promise<void> {
  const { finalized, head } = store.state;
  const stored = await readWindow(deps, finalized, head);
  const upTo = Math.min(head, target);
  let shared = finalized;
  for (const block of stored) {
    if (block.number <= finalized || block.number > upTo) continue;
    const now = asHead(
      await deps.client.call('eth_getBlockByNumber', [`0x${block.number.toString(16)}`, false], {
        signal: deps.signal,
      }),
    );
    if (now?.hash !== block.hash) break;
    shared = block.number;
  }
  if (shared >= upTo) return;
  const headHash = stored.find((block) => block.number === shared)?.hash;
  if (!headHash) throw new Error(`the finalized block ${finalized} is not stored`);
  await keepOrphans(deps, shared, head);
  await store.retract((state) => ({ head: shared, headHash, epoch: state.epoch + 1 }));
  await removeUnsettled(deps, (block) => block > shared);
}

async function loadWindow({ deps, store }: SettleParts): Promise<ChainWindow> {
  const { finalized, head, headHash } = store.state;
  const stored = await readWindow(deps, finalized, head);
  const [first, ...rest] =
    stored.length > 0 ? stored : [{ number: head, hash: headHash, parentHash: headHash, timestamp: 0 }];
  // before the backfill has come up to it the finalized block is not stored: its time is the node's, so that its child
  // can be compared with it
  const known = first!.timestamp > 0 ? first! : { ...first!, timestamp: await timeOf(deps, first!) };
  return new ChainWindow([known, ...rest]);
}

/** @returns 0 when the signal fired first */
async function timeOf({ client, signal }: PipelineDeps, { hash }: HeadRef): Promise<number> {
  while (!signal.aborted) {
    const block = await client.call('eth_getBlockByHash', [hash, false], { signal }).catch(() => undefined);
    const head = asHead(block);
    if (head?.hash === hash) return head.timestamp;
    await pause(100, signal);
  }
  return 0;
}

async function readWindow({ database, statements }: PipelineDeps, finalized: number, head: number): Promise<HeadRef[]> {
  const rows = await database.read<{ block_number: string; hash: string; parent_hash: string; time: number }>(
    getStatement(statements, 'unsettled_blocks'),
    { finalized, head },
  );
  const blocks = rows.map((row) => ({
    number: Number(row.block_number),
    hash: row.hash,
    parentHash: row.parent_hash,
    timestamp: row.time,
  }));
  const first = blocks[0];
  // before the backfill has come up to it, the finalized block itself is not stored: its child names it
  if (first && first.number === finalized + 1)
    blocks.unshift({ number: finalized, hash: first.parentHash, parentHash: first.parentHash, timestamp: 0 });
  return blocks;
}
