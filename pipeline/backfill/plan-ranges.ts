/** What is to be fetched, from what the journal says. Pure. */
import { gapsOf, type Interval } from '../store/intervals.ts';

export interface PlannedStretch extends Interval {
  /** True for a range that was begun before: it is inserted again with the same bounds, whatever is stored of it. */
  readonly interrupted: boolean;
}

/**
 * @param whole everything that must be stored
 * @param done ranges that the journal calls done
 * @param interrupted ranges that were started and not finished
 */
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
