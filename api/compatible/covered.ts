/** An answer that would be short without saying so is none. */
import type { ChainState } from '#sql/snapshot.ts';
import type { ApiDeps } from '../deps.ts';
import { coverageOf } from '../freshness.ts';
import { CompatibleError } from './action.ts';

/** @throws CompatibleError where blocks of the window, between the first indexed one and the head, are not indexed yet */
export function assertCovered(deps: ApiDeps, state: ChainState, fromBlock: number, toBlock: number): void {
  const { gaps } = coverageOf(deps, state, Math.max(fromBlock, state.startBlock), Math.min(toBlock, state.head));
  const [gap] = gaps;
  if (gap) throw new CompatibleError(`Blocks ${gap.from} to ${gap.to} are not indexed yet. Please try again later`);
}
