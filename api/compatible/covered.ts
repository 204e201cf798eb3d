/** An answer that would be short without saying so is none. */
import type { ChainState } from '#sql/snapshot.ts';
import { coverageOf, gapText } from '../read/chain/freshness.ts';
import type { CoverageDeps } from '../read/reader-deps.ts';
import { CompatibleError } from './action.ts';

/** @throws CompatibleError that names the blocks of the window which the index does not stand behind */
export function assertCovered(deps: CoverageDeps, state: ChainState, fromBlock: number, toBlock: number): void {
  // blocks that nobody has are not told from blocks that are not indexed: both are refused
  const end = Math.max(fromBlock, toBlock);
  const head = Math.max(end, state.chainHead);
  const [gap] = coverageOf(deps, { ...state, chainHead: head }, fromBlock, end).gaps;
  if (gap) throw notIndexed(gapText(state, gap));
}

/** For figures of the whole history. @throws CompatibleError where any block up to the head is missing or doubted */
export function assertWhole(deps: CoverageDeps, state: ChainState): void {
  assertCovered(deps, state, state.startBlock, state.head);
}

export const notIndexed = (text: string) =>
  new CompatibleError(`Error! ${text.slice(0, 1).toUpperCase()}${text.slice(1)}. Please try again later`);
