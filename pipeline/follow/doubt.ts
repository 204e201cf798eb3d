import { getFirst } from '#runtime/lists.ts';
import type { JobDeps, ReportDeps, StoreDeps } from '../deps.ts';
import { type ChainStateStore, undoubted } from '../store/chain-state-store.ts';
import {
  type Comparison,
  compareAt,
  type Decision,
  decide,
  findFinalizedFork,
  isMajority,
  listContradictions,
  storedHash,
} from './finalized-comparison.ts';
import type { FollowSettings } from './follow-settings.ts';

/** The nodes replaced finalized blocks above `forkBlock`, and the pipeline must follow them. */
export class DeepReorgError extends Error {
  override readonly name = 'DeepReorgError';
  readonly forkBlock: number;
  constructor(forkBlock: number) {
    super(`the nodes replaced finalized blocks: their chain differs from the stored one above block ${forkBlock}`);
    this.forkBlock = forkBlock;
  }
}

interface DoubtDeps extends JobDeps, ReportDeps {
  readonly settings: Pick<FollowSettings, 'deepReorg'>;
}

export class FinalizedDoubt {
  readonly deps: DoubtDeps;
  readonly store: ChainStateStore;
  constructor(deps: DoubtDeps, store: ChainStateStore) {
    this.deps = deps;
    this.store = store;
  }

  /** A node contradicts a finalized block, so the pipeline writes no blocks. */
  get isHeld(): boolean {
    return this.store.state.doubtedFrom !== undefined;
  }

  /**
   * Compares a finalized block with every endpoint, and publishes the result.
   * @returns true if no finalized block is in doubt
   * @throws DeepReorgError when the pipeline must follow the nodes
   */
  async check(block: number, stored: string): Promise<boolean> {
    const { deps, store } = this;
    const comparison = await compareAt(deps, block, stored);
    const { agreeing, contradicting } = comparison;
    deps.report.set({ contradictions: listContradictions(comparison, block, stored) });
    const decision = decide(comparison, deps.client.endpoints.length, deps.settings.deepReorg === 'follow');
    if (deps.client.endpoints.length > 1) reportComparison(comparison, decision, block, stored);
    if (decision === 'keep') {
      const { doubtedFrom } = store.state;
      const endpoints = deps.client.endpoints.length;
      // older blocks, which the audit also compares, prove nothing about the doubted ones; silent nodes may still
      // contradict
      const isProven = agreeing.length === endpoints || isMajority(agreeing.length, endpoints);
      if (doubtedFrom !== undefined && block >= doubtedFrom && isProven) await this.#clear();
      return !this.isHeld;
    }
    const { endpoint, hash } = getFirst(contradicting);
    const message = `finalized block ${block} has the stored hash ${stored}, but ${hash} on ${endpoint.name}`;
    const { startBlock } = store.state;
    const forkBlock = await findFinalizedFork(deps, endpoint, startBlock - 1, block).catch(async (error: unknown) => {
      // the block is in doubt even if the fork block can't be found
      if (!deps.signal.aborted) await this.#raise(block, `${message}; the fork block was not found: ${String(error)}`);
      throw error;
    });
    if (decision === 'follow' && forkBlock !== undefined) throw new DeepReorgError(forkBlock);
    if (forkBlock === undefined)
      // the table stores 0 for no doubt; block 0 has no transfers, and each start compares its hash
      await this.#raise(Math.max(1, startBlock), `${message}; both chains have no stored block in common`);
    else await this.#raise(forkBlock + 1, `${message}; both chains agree up to block ${forkBlock}`);
    return false;
  }

  /** Returns the newest finalized block, to check whether nodes still contradict it. */
  async heldBlock(): Promise<{ readonly number: number; readonly hash: string } | undefined> {
    const { finalized: number } = this.store.state;
    const hash = await storedHash(this.deps, number);
    return hash === undefined ? undefined : { number, hash };
  }

  async #raise(doubtedFrom: number, doubt: string): Promise<void> {
    const { deps, store } = this;
    deps.report.set({ phase: 'holding', reason: doubt });
    if (store.state.doubtedFrom !== undefined && store.state.doubtedFrom <= doubtedFrom) return;
    deps.log.error({ event: 'settled_blocks_doubted', doubtedFrom, doubt });
    await store.publish((state) => ({
      doubtedFrom,
      doubt,
      doubtedSinceMs: state.doubtedFrom === undefined ? Date.now() : state.doubtedSinceMs,
    }));
  }

  async #clear(): Promise<void> {
    this.deps.log.warn({ event: 'doubt_resolved', doubtedFrom: this.store.state.doubtedFrom });
    await this.store.publish({ ...undoubted, reorgIntent: this.store.state.reorgIntent });
    this.deps.report.set({ phase: 'following', reason: null });
  }
}

function reportComparison(
  { agreeing, contradicting }: Comparison,
  decision: Decision,
  block: number,
  stored: string,
): void {
  for (const endpoint of decision === 'keep' ? agreeing : []) endpoint.reportBranch(block);
  for (const { endpoint, hash } of contradicting) {
    const difference = `finalized block ${block} has hash ${hash} on this endpoint, but the stored hash is ${stored}`;
    if (decision === 'keep') endpoint.reportBranch(block, difference);
    else endpoint.reportInvalid(difference);
  }
}

const chunkBlocks = 5_000;

export async function hashesAbove({ database }: StoreDeps, above: number, head: number): Promise<string[]> {
  const hashes: string[] = [];
  for (let from = above + 1; from <= head; from += chunkBlocks) {
    const rows = await database.read('blocks_between', {
      from_block: from,
      to_block: Math.min(from + chunkBlocks - 1, head),
    });
    hashes.push(...rows.map((row) => row.block_hash));
  }
  return hashes;
}
