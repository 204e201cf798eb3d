/**
 * Follows the chain: stores new blocks, replaces branches after a reorg, and finalizes blocks.
 * @source docs/mechanisms.md#following-the-head
 */
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import type { BlockBundle, HeadRef } from '#chain/rpc/wire-types.ts';
import { getFirst } from '#runtime/lists.ts';
import type { RangeRows } from '../encode/range-rows.ts';
import { insertRows } from '../store/insert-rows.ts';
import { keepOrphans } from '../store/keep-orphans.ts';
import { removeUnfinalized } from '../store/remove-blocks.ts';
import { headRef, linkedTo, rowsOnto } from './branch-rows.ts';
import type { ChainWindow } from './chain-window.ts';
import type { FinalizedDoubt } from './doubt.ts';
import { assertFrom, fetchHeadBlock, type HeadBlock } from './fetch-head-block.ts';
import { finalizedHeight } from './finality.ts';
import type { FinalizeParts, Finalizer, FollowDeps } from './finalize-blocks.ts';
import { assertFollowed, assertUndisputed, storedHash } from './finalized-comparison.ts';
import { findFork, ReorgBelowFinalizedError } from './find-fork.ts';
import { HeldBlocks } from './held-blocks.ts';
import { publishHead } from './publish-head.ts';
import { chooseHead, type ObservedHead, readFinalizedTag, readHeads } from './read-head.ts';
import { detectionTime, recordIntent, recordReorg } from './record-reorg.ts';
import { removeUnpublished } from './remove-unpublished.ts';

/** Minimum blocks to finalize at once: fewer would create tiny database parts. */
const finalizeBatch = 16;
/** Maximum blocks per insert when catching up. Eight cost as much as one. */
const appendBatch = 8;
/** Failures in a row before an error is reported: steps in which no node answered, or failed finalizations. */
const silentSteps = 5;
const finalizedCheckMs = 10_000;
/** How long nodes must report a lower head before higher blocks are removed, ms: the nodes may just lag. */
const revertConfirmMs = 1_500;

export class Follower {
  readonly #highest = new Map<Endpoint, number>();
  readonly #held = new HeldBlocks();
  #finalizing: Promise<void> = Promise.resolve();
  #isFinalizing = false;
  #failedFinalizations = 0;
  #isClean = true;
  #lowerSince: { readonly number: number; readonly at: number } | undefined;
  /** Why the pipeline writes nothing; undefined while it writes. */
  holdReason: string | undefined;

  #checkedAt = 0;
  #silentSteps = 0;
  readonly parts: FinalizeParts;
  readonly finalizer: Finalizer;
  readonly window: ChainWindow;
  readonly doubt: FinalizedDoubt;

  constructor(parts: FinalizeParts, finalizer: Finalizer, window: ChainWindow, doubt: FinalizedDoubt) {
    this.parts = parts;
    this.finalizer = finalizer;
    this.window = window;
    this.doubt = doubt;
  }

  get isSilent(): boolean {
    return this.#silentSteps >= silentSteps;
  }

  get #deps(): FollowDeps {
    return this.parts.deps;
  }

  /**
   * Reads the nodes' heads and follows the highest.
   * @throws DeepReorgError, or a temporary error of node or database
   */
  async step(): Promise<void> {
    await recordIntent(this.#deps.database, this.parts.store);
    if (!(await this.#isUndoubted())) return;
    await publishHead(this.parts.store, this.window);
    const heads = await readHeads(this.#deps.client, this.#deps.signal);
    const head = chooseHead(heads, this.window);
    this.#silentSteps = head ? 0 : this.#silentSteps + 1;
    if (!head) return;
    const endpointsHighest = Math.max(this.#highest.get(head.endpoint) ?? -1, head.number);
    this.#highest.set(head.endpoint, endpointsHighest);
    if (await this.#holdIfBelowFinalized(head)) return;
    if (head.number >= this.window.head.number) this.#lowerSince = undefined;
    try {
      if (this.window.at(head.number)?.hash === head.hash) await this.#handleRevert(head, endpointsHighest);
      else await this.#moveTo(head, endpointsHighest);
      this.#hold(undefined);
    } catch (error) {
      if (!(error instanceof ReorgBelowFinalizedError)) throw error;
      this.#hold(error.message);
      this.#checkedAt = 0;
      if (await this.#isUndoubted()) head.endpoint.reportInvalid(error.message); // other endpoints agree
      return;
    }
    this.#finalizeInBackground(head);
  }

  async #isUndoubted(): Promise<boolean> {
    const { doubt } = this;
    const every = this.#deps.settings.finalizedCheckMs ?? finalizedCheckMs;
    if (!doubt.isHeld && Date.now() - this.#checkedAt < every) return true;
    this.#checkedAt = Date.now();
    const { number, hash } = (doubt.isHeld ? await doubt.heldBlock() : undefined) ?? this.window.finalized;
    const isKept = await doubt.check(number, hash);
    if (!isKept) this.#hold(this.parts.store.state.doubt);
    return isKept;
  }

  /** Resolves when the running finalization has ended. */
  finalized(): Promise<void> {
    return this.#finalizing;
  }

  async #holdIfBelowFinalized(head: ObservedHead): Promise<boolean> {
    if (head.number >= this.window.finalized.number) return false;
    this.#hold(`the node's head ${head.number} is below the finalized block ${this.window.finalized.number}`);
    const stored = await storedHash(this.#deps, head.number);
    if (stored !== undefined && !(await this.doubt.check(head.number, stored)))
      this.#hold(this.parts.store.state.doubt);
    return true;
  }

  #hold(reason: string | undefined): void {
    if (reason !== this.holdReason) {
      if (reason) this.#deps.log.error({ event: 'follow_hold', reason });
      else this.#deps.log.info({ event: 'follow_resumed' });
    }
    this.#deps.report.set({ phase: reason ? 'holding' : 'following', reason: reason ?? null });
    this.holdReason = reason;
  }

  async #handleRevert(head: ObservedHead, endpointsHighest: number): Promise<void> {
    const ours = this.window.head;
    if (head.number >= ours.number || endpointsHighest < ours.number) return;
    if (!(await this.#isConfirmedLower(head))) return;
    await this.#replace(head.number, [], head.number);
  }

  async #isConfirmedLower(head: HeadRef): Promise<boolean> {
    this.#lowerSince =
      this.#lowerSince?.number === head.number ? this.#lowerSince : { number: head.number, at: Date.now() };
    if (Date.now() - this.#lowerSince.at < revertConfirmMs) return false;
    const known = await Promise.all(
      this.#deps.client.endpoints.map((endpoint) =>
        this.#deps.client
          .call('eth_getBlockByHash', [this.window.head.hash, false], {
            endpoint,
            signal: this.#deps.signal,
            retries: 0,
          })
          .catch(() => undefined),
      ),
    );
    return known.every((block) => block === null);
  }

  async #moveTo(head: ObservedHead, endpointsHighest: number): Promise<void> {
    if (head.number <= this.window.head.number) {
      // the endpoint never reached the stored height: it lags on an old branch
      if (endpointsHighest < this.window.head.number) return;
      return this.#reorgTo(await fetchHeadBlock(this.#deps, head, head.endpoint), head);
    }
    while (this.window.head.number < head.number && !this.#deps.signal.aborted) {
      const next = await this.#fetchNext(head);
      const linked = linkedTo(this.window.head, next);
      if (linked.length > 0) await this.#append(linked, head.number);
      else return this.#reorgTo(assertFrom(head.endpoint, getFirst(next)), head);
    }
  }

  /** Throws an error of the first block. An error of a later one only shortens the result. */
  async #fetchNext({ number: to, endpoint }: ObservedHead): Promise<HeadBlock[]> {
    const from = this.window.head.number + 1;
    const heights = Array.from({ length: Math.min(to - from + 1, appendBatch) }, (_, i) => from + i);
    const fetched = await Promise.allSettled(heights.map((number) => fetchHeadBlock(this.#deps, number, endpoint)));
    const [first] = fetched;
    if (first?.status === 'rejected') throw first.reason;
    const failed = fetched.findIndex(({ status }) => status === 'rejected');
    return fetched
      .slice(0, failed < 0 ? fetched.length : failed)
      .flatMap((each) => ('value' in each ? each.value : []));
  }

  async #reorgTo(top: HeadBlock, { number: chainHead, endpoint }: ObservedHead): Promise<void> {
    const { forkBlock, branch } = await findFork(this.window, top, (hash, number) =>
      fetchHeadBlock(this.#deps, { hash, number }, endpoint),
    );
    await this.#replace(forkBlock, branch, chainHead);
  }

  async #replace(forkBlock: number, branch: readonly HeadBlock[], chainHead: number): Promise<void> {
    await this.#finalizing;
    await removeUnpublished(this.parts);
    const fork = this.window.at(forkBlock);
    if (!fork)
      throw new ReorgBelowFinalizedError(
        `fork block ${forkBlock} is below the finalized block: the pipeline can't replace finalized blocks`,
      );
    const { store, deps } = this.parts;
    const bundles = branch.map(({ bundle }) => bundle);
    const rows = rowsOnto(fork, branch);
    const reorg = {
      detectedMs: await detectionTime(deps.database),
      forkBlock,
      removed: this.window.above(forkBlock).map(({ hash }) => hash),
      added: bundles.map(({ block }) => block.hash.toLowerCase()),
    };
    await keepOrphans(deps, forkBlock, this.window.head.number);
    const reorgIntent = JSON.stringify(reorg);
    await store.retractUnfinalized(({ reorgGeneration }) => ({
      head: forkBlock,
      headHash: fork.hash,
      chainHead,
      reorgGeneration: reorgGeneration + 1,
      reorgIntent,
    }));
    const removed = this.window.cutAbove(forkBlock);
    for (const block of removed) this.#held.drop(block.number);
    this.#isClean = false;
    await removeUnfinalized(deps, (block) => block > forkBlock);
    this.#isClean = true;
    if (!rows.isEmpty) await this.#insert(rows);
    for (const bundle of bundles) this.#addToWindow(bundle);
    await recordReorg(deps.database, reorg);
    const { number, hash } = this.window.head;
    await store.publish({ head: number, headHash: hash, chainHead, reorgIntent: '' });
    deps.metrics.observeReorg(removed.length);
    deps.log.warn({ event: 'reorg', forkBlock, removed: removed.length, added: branch.length });
  }

  async #append(blocks: readonly HeadBlock[], chainHead: number): Promise<void> {
    await this.#insert(rowsOnto(this.window.head, blocks));
    for (const { bundle } of blocks) this.#addToWindow(bundle);
    await publishHead(this.parts.store, this.window, chainHead);
  }

  async #insert(rows: RangeRows): Promise<void> {
    const above = this.window.head.number;
    if (!this.#isClean) await removeUnfinalized(this.#deps, (block) => block > above);
    this.#isClean = false;
    await insertRows(this.#deps.database, rows);
    this.#isClean = true;
  }

  #addToWindow(bundle: BlockBundle): void {
    this.window.append(headRef(bundle));
    this.#held.add(bundle);
  }

  #finalizeInBackground(head: HeadRef): void {
    if (this.#isFinalizing) return;
    this.#isFinalizing = true;
    this.#finalizing = this.#finalize(head)
      .then(
        () => this.#reportFinalization(undefined),
        (error: unknown) => this.#reportFinalization(String(error)),
      )
      .finally(() => {
        this.#isFinalizing = false;
      });
  }

  /** Reports a finalization error after some failures in a row: one is often a slow reply. */
  #reportFinalization(error: string | undefined): void {
    const { log, signal, report } = this.#deps;
    if (signal.aborted) return;
    this.#failedFinalizations = error === undefined ? 0 : this.#failedFinalizations + 1;
    if (error !== undefined) log.warn({ event: 'finalize_error', error });
    if (error === undefined || this.#failedFinalizations >= silentSteps) report.set({ finalityFault: error ?? null });
  }

  async #finalize(head: HeadRef): Promise<void> {
    const { finalityDepth: depth } = this.#deps.settings;
    await this.finalizer.cleanUp();
    const from = this.window.finalized.number + 1;
    // a node may report a nonexistent head, so only followed blocks count as confirmations
    const newest = Math.min(head.number, this.window.head.number);
    const quick = finalizedHeight({ head: newest, tag: newest - 1, depth, previous: 0 });
    if (quick - from + 1 < finalizeBatch) return;
    const tag = await readFinalizedTag(this.#deps);
    const height = finalizedHeight({ head: newest, tag: tag?.number, depth, previous: from - 1 });
    const to = Math.min(height, this.window.head.number);
    if (to - from + 1 < finalizeBatch) return;
    if (tag && tag.number < head.number) await assertFollowed(this.#deps, this.window, tag);
    const compared = await assertUndisputed(this.#deps, this.window, to);
    if (this.window.at(to)?.hash !== compared) return; // a reorg during the comparison; the next step tries again
    try {
      const held = this.#held.getEnd(from, to);
      const fetched = { fromBlock: from, toBlock: to - held.length };
      if (fetched.toBlock >= from) {
        await this.finalizer.finalizeFromNode(fetched, (block) => this.window.at(block)?.hash);
        if (this.parts.store.state.finalized < fetched.toBlock) return; // the process is stopping
      }
      await this.finalizer.finalize(held);
    } finally {
      // also after an error: some blocks may be final, and a reorg below them is deep
      const { finalized } = this.parts.store.state;
      this.window.finalize(finalized);
      this.#held.dropThrough(finalized);
    }
  }
}
