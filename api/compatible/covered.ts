import type { ChainState } from '#sql/snapshot.ts';
import { chainHead, describeGap, describeSilence, getCoverage, isSilent, lagsBehind } from '../read/chain/freshness.ts';
import type { CoverageDeps, TimeDeps } from '../read/reader-deps.ts';
import { bucketStart } from '../terms/buckets.ts';
import { CompatibleError } from './action.ts';

/**
 * Rejects requests for blocks that are not indexed, because clients would take the reply as complete.
 * @throws CompatibleError that names the missing or contradicted blocks
 */
export function assertCovered(deps: CoverageDeps, state: ChainState, fromBlock: number, toBlock: number): void {
  // also rejects blocks above the newest known block, because a node may already have them
  const end = Math.max(fromBlock, toBlock);
  const head = Math.max(end, state.chainHead);
  const [gap] = getCoverage(deps, { ...state, chainHead: head }, fromBlock, end).gaps;
  if (!gap) return;
  if (gap.to < state.startBlock) throw new CompatibleError(`Error! ${capitalized(describeGap(state, gap))}`);
  throw notIndexed(describeGap(state, gap));
}

export function assertWhole(deps: CoverageDeps, state: ChainState): void {
  assertCovered(deps, state, state.startBlock, state.head);
}

/**
 * Rejects an empty reply about the newest blocks while no node answers, because newer blocks may exist. @throws
 * CompatibleError
 */
export function assertNotSilent(deps: CoverageDeps, state: ChainState): void {
  if (isSilent(deps, state)) throw notIndexed(describeSilence(state));
}

/**
 * Rejects a value of the newest blocks while the index lacks some, is behind, or no node answers.
 * @param fromBlock first block that the value needs
 * @throws CompatibleError
 */
export function assertNewest(deps: CoverageDeps, state: ChainState, fromBlock: number): void {
  assertCovered(deps, state, fromBlock, state.head);
  assertNotSilent(deps, state);
  if (lagsBehind(deps, state))
    throw notIndexed(`the index is at block ${state.head}, and the chain at block ${chainHead(deps, state)}`);
}

/**
 * Rejects daily values that may lack blocks. The day of the newest indexed block is not over yet.
 * @param lastDay start of the last requested day, Unix seconds
 * @throws CompatibleError
 */
export async function assertDays(deps: CoverageDeps & TimeDeps, state: ChainState, lastDay: number): Promise<void> {
  const isEnded = lastDay < bucketStart('day', await deps.blockTimes.head(state));
  if (isEnded) assertWhole(deps, state);
  else assertNewest(deps, state, state.startBlock);
}

/** Rejects an empty reply if blocks before START_BLOCK may have matches. @throws CompatibleError */
export function assertFirstBlocks({ startBlock }: ChainState, emptyText: string): void {
  if (startBlock > 0)
    throw new CompatibleError(
      `Error! ${emptyText} from block ${startBlock} on. Earlier blocks are not indexed here (START_BLOCK)`,
    );
}

/** Rejects values that need all blocks from block 0 to the newest, such as token balances. @throws CompatibleError */
export function assertFromGenesis(deps: CoverageDeps, state: ChainState): void {
  if (state.startBlock > 0)
    throw new CompatibleError(
      `Error! This service indexes from block ${state.startBlock}: token balances are not available`,
    );
  assertNewest(deps, state, 0);
}

const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export const notIndexed = (text: string) => new CompatibleError(`Error! ${capitalized(text)}. Please try again later`);
