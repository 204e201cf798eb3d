import { contains, findGaps, type Interval, single } from '#chain/intervals.ts';
import type { ChainState } from '#sql/snapshot.ts';

export interface PlannedStretch extends Interval {
  /** An earlier insert was interrupted: insert again with the same bounds. */
  readonly interrupted: boolean;
}

/** @param quarantined blocks to skip; interrupted ranges with one of these can't be repeated, and are skipped too */
export function planRanges(
  whole: Interval,
  done: readonly Interval[],
  interrupted: readonly Interval[],
  quarantined: readonly number[] = [],
): PlannedStretch[] {
  const inside = interrupted.filter((range) => contains(whole, range));
  const lost = unrepeatable(inside, quarantined);
  const again = inside.filter((range) => !lost.includes(range));
  const gaps = findGaps(whole, [...done, ...quarantined.map(single), ...inside]);
  const planned = (interrupted: boolean) => (range: Interval) => ({
    fromBlock: range.fromBlock,
    toBlock: range.toBlock,
    interrupted,
  });
  return [...again.map(planned(true)), ...gaps.map(planned(false))].sort((a, b) => a.fromBlock - b.fromBlock);
}

/** Plans the old blocks to load: those below `followFrom` that are neither stored nor quarantined (no valid data). */
export function planBackfill(
  state: Pick<ChainState, 'startBlock' | 'followFrom'>,
  journal: { readonly doneIntervals: readonly Interval[]; readonly interrupted: readonly Interval[] },
  quarantined: { readonly numbers: readonly number[] },
): PlannedStretch[] {
  const whole = { fromBlock: state.startBlock, toBlock: state.followFrom - 1 };
  const blocks = quarantined.numbers.filter((block) => contains(whole, single(block)));
  return planRanges(whole, journal.doneIntervals, journal.interrupted, blocks);
}

/**
 * Returns the interrupted ranges with a quarantined block. Their insert can't be repeated, and left some of their rows.
 */
export const unrepeatable = (interrupted: readonly Interval[], quarantined: readonly number[]): Interval[] =>
  interrupted.filter((range) => quarantined.some((block) => contains(range, single(block))));
