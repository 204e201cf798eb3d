import { gapsOf, type Interval, single } from '#chain/intervals.ts';
import type { ChainState } from '#sql/snapshot.ts';

export interface PlannedStretch extends Interval {
  /** True: insert again with the same bounds, because an earlier insert was interrupted. */
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
 * Plans the old blocks to load: all below `followFrom` that are neither stored nor quarantined (without valid data on
 * any node).
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
