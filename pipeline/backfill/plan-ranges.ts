import { gapsOf, type Interval, single } from '#chain/intervals.ts';
import type { ChainState } from '#sql/snapshot.ts';

export interface PlannedStretch extends Interval {
  /** True if an earlier insert was interrupted: the range is inserted again with the same bounds. */
  readonly interrupted: boolean;
}

export function planRanges(
  whole: Interval,
  done: readonly Interval[],
  interrupted: readonly Interval[],
): PlannedStretch[] {
  const again = interrupted.filter((range) => range.fromBlock >= whole.fromBlock && range.toBlock <= whole.toBlock);
  const gaps = gapsOf(whole, [...done, ...again]);
  const planned = (interrupted: boolean) => (range: Interval) => ({
    fromBlock: range.fromBlock,
    toBlock: range.toBlock,
    interrupted,
  });
  return [...again.map(planned(true)), ...gaps.map(planned(false))].sort((a, b) => a.fromBlock - b.fromBlock);
}

/**
 * Plans the ranges of old blocks to load: all blocks below the block from which the pipeline follows the chain, except
 * blocks that are stored or quarantined (no node has valid data).
 */
export function planBackfill(
  state: Pick<ChainState, 'startBlock' | 'followFrom'>,
  journal: { readonly doneIntervals: readonly Interval[]; readonly interrupted: readonly Interval[] },
  quarantined: { readonly numbers: readonly number[] },
): PlannedStretch[] {
  const whole = { fromBlock: state.startBlock, toBlock: state.followFrom - 1 };
  const blocks = quarantined.numbers.filter((block) => block >= whole.fromBlock && block <= whole.toBlock);
  return planRanges(whole, [...journal.doneIntervals, ...blocks.map(single)], journal.interrupted);
}
